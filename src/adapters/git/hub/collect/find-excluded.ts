import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import type { CollectRequest } from '../../../../ports/working-trees.ts'
import { gitText } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { copyPath } from '../tree/copy-path.ts'

const MOST_PATHS = 200

/** The paths that may have been copied into the tree. What the base has was not: there, all that changed is work. */
export async function findExcluded(
  needs: { readonly git: Git },
  hub: string,
  { base, exclude = [] }: Pick<CollectRequest, 'base' | 'exclude'>,
): Promise<Result<readonly string[], GitFailure>> {
  const paths = [...new Set(exclude.slice(0, MOST_PATHS).flatMap((given) => copyPath(given) ?? []))]
  if (paths.length === 0) return success([])
  const present = new Set<string>()
  const listed = await gitText(needs.git, {
    directory: hub,
    arguments: ['ls-tree', '-z', '--name-only', '--end-of-options', base, ...paths],
    onRecord: (record) => {
      present.add(record.toString('utf8'))
    },
  })
  return listed.ok ? success(paths.filter((path) => !present.has(path))) : listed
}
