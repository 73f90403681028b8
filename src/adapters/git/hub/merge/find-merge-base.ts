import { askGit } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { isObjectId } from '../repository/object-id.ts'

/** The newest commit that both have; nothing when they have none in common, or one of them is not there. */
export async function findMergeBase(
  needs: { readonly git: Git },
  hub: string,
  one: string,
  other: string,
): Promise<string | undefined> {
  if (!isObjectId(one) || !isObjectId(other)) return undefined
  const said = await askGit(needs.git, {
    directory: hub,
    arguments: ['merge-base', '--end-of-options', one, other],
  })
  const [base = ''] = said.stdout.toString('utf8').split('\n', 1)
  return said.code === 0 && isObjectId(base) ? base : undefined
}
