import { askGit } from './git-answer.ts'
import { isObjectId } from './object-id.ts'
import type { Git } from './run-git.ts'

const MOST_FILES = 5_000

/** Paths of the files below a directory of a commit. */
export async function listCommittedFiles(
  needs: { readonly git: Git },
  hub: string,
  commit: string,
  directory: string,
): Promise<readonly string[]> {
  if (!isObjectId(commit) || directory.includes('\0')) return []
  const said = await askGit(needs.git, {
    directory: hub,
    arguments: ['ls-tree', '-r', '-z', '--name-only', '--end-of-options', commit, `${directory}/`],
  })
  if (said.code !== 0) return []
  return said.stdout.toString('utf8').split('\0').filter(Boolean).slice(0, MOST_FILES)
}
