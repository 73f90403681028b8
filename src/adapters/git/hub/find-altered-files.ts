import { type Result, success } from '../../../domain/result.ts'
import type { GitFailure } from '../../../ports/hub.ts'
import { gitText } from './git-answer.ts'
import type { Git } from './run-git.ts'
import { openScratch } from './scratch.ts'
import { takeSnapshot } from './take-snapshot.ts'

const LISTED = 20

/** Files of the commit that were changed or removed in the tree; what was only added is not among them. */
export async function findAlteredFiles(
  needs: { readonly git: Git },
  hub: string,
  directory: string,
  commit: string,
): Promise<Result<readonly string[], GitFailure>> {
  await using scratch = await openScratch(hub)
  const snapshot = await takeSnapshot(needs, { hub, scratch: scratch.path, directory, tip: commit })
  if (!snapshot.ok) return snapshot
  const files: string[] = []
  const compared = await gitText(needs.git, {
    directory: hub,
    arguments: [
      'diff-tree',
      '-r',
      '-z',
      '--name-only',
      '--no-renames',
      '--diff-filter=MDT',
      '--end-of-options',
      commit,
      snapshot.value.tree,
    ],
    onRecord: (record) => {
      if (files.length < LISTED) files.push(record.toString('utf8'))
    },
  })
  return compared.ok ? success(files) : compared
}
