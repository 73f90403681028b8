import { askGit } from './git-answer.ts'
import { isObjectId } from './object-id.ts'
import type { Git } from './run-git.ts'

const HEADER = /^[0-9a-f]+ blob (\d+)\n/

/** The text of a file in a commit, links inside the tree followed; nothing for what is no file there. */
export async function readCommittedFile(
  needs: { readonly git: Git },
  hub: string,
  commit: string,
  path: string,
): Promise<string | undefined> {
  // A path that starts with a dot and a slash would be taken relative to where git runs.
  if (!isObjectId(commit) || /^\.{0,2}\/|\0/.test(path)) return undefined
  const said = await askGit(needs.git, {
    directory: hub,
    arguments: ['cat-file', '--batch', '--follow-symlinks', '-z'],
    input: `${commit}:${path}\0`,
  })
  const header = HEADER.exec(said.stdout.subarray(0, 200).toString('latin1'))
  if (said.code !== 0 || header === null) return undefined
  const start = header[0].length
  return said.stdout.subarray(start, start + Number(header[1])).toString('utf8')
}
