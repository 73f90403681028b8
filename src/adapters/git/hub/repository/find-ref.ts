import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askGit } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { ignoreCodes } from '../process/system-error.ts'
import { isObjectId } from './object-id.ts'

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

/**
 * Where a branch of the hub is. Only our own git writes there, one file a ref, so the file is asked first: no
 * process has to be started, and this is asked before every working tree.
 */
export async function findBranch(
  needs: { readonly git: Git },
  directory: string,
  branch: string,
): Promise<string | undefined> {
  const text = await readFile(join(directory, 'refs', 'heads', branch), 'utf8').catch(
    ignoreCodes('ENOENT', 'ENOTDIR', 'EISDIR'),
  )
  const id = text?.trimEnd() ?? ''
  return isObjectId(id) ? id : await findRef(needs, directory, `refs/heads/${branch}`)
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
