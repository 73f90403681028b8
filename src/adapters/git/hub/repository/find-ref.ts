import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import { askGit } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { isObjectId } from './object-id.ts'

/** The object id of `name`, which is a full ref or an id with a suffix such as ^{tree}. */
export async function findRef(
  needs: { readonly git: Git },
  directory: string,
  name: string,
): Promise<string | undefined> {
  const run = await askGit(needs.git, {
    directory,
    arguments: ['rev-parse', '--verify', '--quiet', '--end-of-options', name],
  })
  const id = run.stdout.toString('utf8').trimEnd()
  return run.code === 0 && isObjectId(id) ? id : undefined
}

/**
 * The head of a branch in the hub. Reads the ref's file first, because that needs no git process and every new working
 * tree asks for it. Only our own git writes to the hub, so the file can be trusted.
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

/** False also if one of the two commits doesn't exist. */
export async function isAncestor(
  needs: { readonly git: Git },
  directory: string,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  if (!isObjectId(ancestor) || !isObjectId(descendant)) return false
  const run = await askGit(needs.git, {
    directory,
    arguments: ['merge-base', '--is-ancestor', ancestor, descendant],
  })
  return run.code === 0
}
