import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { Collected } from '../../../../ports/working-trees.ts'
import { gitText } from '../process/git-answer.ts'
import { LISTED_PATH_BYTES } from '../process/path-length.ts'
import type { Git } from '../process/run-git.ts'

const LISTED = 10_000

/** The commits that `tip` has and `base` has not, oldest first, and the files that differ: the first ten thousand of each. */
export async function findWork(
  needs: { readonly git: Git },
  directory: string,
  base: string,
  tip: string,
): Promise<Result<Pick<Collected, 'commits' | 'files'>, GitFailure>> {
  if (base === tip) return success({ commits: [], files: [] })

  const files: string[] = []
  const [listed, compared] = await Promise.all([
    gitText(needs.git, {
      directory,
      arguments: ['rev-list', '--topo-order', '--reverse', `--max-count=${LISTED}`, tip, `^${base}`],
    }),
    gitText(needs.git, {
      directory,
      arguments: ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--end-of-options', base, tip],
      onRecord: (record) => {
        files.push(record.toString('utf8'))
        return files.length === LISTED ? 'enough' : undefined
      },
      cutRecordsAt: LISTED_PATH_BYTES,
    }),
  ])
  if (!listed.ok) return listed
  if (!compared.ok) return failure(compared.failure)
  return success({ commits: listed.value.split('\n').filter((line) => line !== ''), files })
}
