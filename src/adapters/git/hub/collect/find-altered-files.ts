import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { gitText } from '../process/git-answer.ts'
import { LISTED_PATH_BYTES } from '../process/path-length.ts'
import type { Git } from '../process/run-git.ts'
import { openScratch } from '../repository/scratch.ts'
import { fillIndex } from './fill-index.ts'

const LISTED = 20

/** Files of the commit that were changed or removed in the tree; what was only added is not among them. */
export async function findAlteredFiles(
  needs: { readonly git: Git },
  hub: string,
  directory: string,
  commit: string,
): Promise<Result<readonly string[], GitFailure>> {
  await using scratch = await openScratch(hub)
  const request = { hub, scratch: scratch.path, directory, tip: commit, purpose: 'look' } as const
  const filled = await fillIndex(needs, request)
  if (!filled.ok) return filled
  const files: string[] = []
  const options = ['--cached', '-z', '--name-only', '--no-renames', '--diff-filter=MDT']
  const compared = await gitText(needs.git, {
    ...filled.value.place,
    arguments: ['diff-index', ...options, '--end-of-options', commit],
    onRecord: (record) => {
      files.push(record.toString('utf8'))
      return files.length === LISTED ? 'enough' : undefined
    },
    cutRecordsAt: LISTED_PATH_BYTES,
  })
  return compared.ok ? success(files) : compared
}
