import { askGit } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { isObjectId } from '../repository/object-id.ts'

/** The newest common ancestor. Undefined if there is none, or if one of the commits doesn't exist. */
export async function findMergeBase(
  needs: { readonly git: Git },
  hub: string,
  one: string,
  other: string,
): Promise<string | undefined> {
  if (!isObjectId(one) || !isObjectId(other)) return undefined
  const run = await askGit(needs.git, {
    directory: hub,
    arguments: ['merge-base', '--end-of-options', one, other],
  })
  const [base = ''] = run.stdout.toString('utf8').split('\n', 1)
  return run.code === 0 && isObjectId(base) ? base : undefined
}
