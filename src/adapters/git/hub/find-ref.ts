import { askGit } from './git-answer.ts'
import { isObjectId } from './object-id.ts'
import type { Git } from './run-git.ts'

/** What `name` (a full ref, or an id with a suffix such as ^{tree}) is in this repository. */
export async function findRef(
  needs: { readonly git: Git },
  directory: string,
  name: string,
): Promise<string | undefined> {
  const said = await askGit(needs.git, {
    directory,
    arguments: ['rev-parse', '--verify', '--quiet', '--end-of-options', name],
  })
  const id = said.stdout.toString('utf8').trimEnd()
  return said.code === 0 && isObjectId(id) ? id : undefined
}

/** False also when one of the two is not there. */
export async function isAncestor(
  needs: { readonly git: Git },
  directory: string,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  if (!isObjectId(ancestor) || !isObjectId(descendant)) return false
  const said = await askGit(needs.git, {
    directory,
    arguments: ['merge-base', '--is-ancestor', ancestor, descendant],
  })
  return said.code === 0
}
