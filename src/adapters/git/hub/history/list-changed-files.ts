import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { gitText } from '../process/git-answer.ts'
import { LISTED_PATH_BYTES } from '../process/git-output.ts'
import type { Git } from '../process/run-git.ts'

/** The first `most` files that differ between two commits. */
export async function listChangedFiles(
  git: Git,
  hub: string,
  { from, to, most }: { readonly from: string; readonly to: string; readonly most: number },
): Promise<Result<readonly string[], GitFailure>> {
  const files: string[] = []
  const compared = await gitText(git, {
    directory: hub,
    arguments: ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--end-of-options', from, to],
    onRecord: (record) => {
      files.push(record.toString('utf8'))
      return files.length === most ? 'enough' : undefined
    },
    cutRecordsAt: LISTED_PATH_BYTES,
  })
  return compared.ok ? success(files) : compared
}
