import { cutText } from '../process/cut-text.ts'
import { askGit } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { isObjectId } from '../repository/object-id.ts'

const MOST_BYTES = 4 * 1024 * 1024
const HEADER = /^[0-9a-f]+ blob (\d+)\n/

/** The text of a file in a commit, links inside the tree followed; nothing for what is no file there. A long one is cut. */
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
    cutAfterBytes: MOST_BYTES,
  })
  const header = HEADER.exec(said.stdout.subarray(0, 200).toString('latin1'))
  if (said.code !== 0 || header === null) return undefined
  const start = header[0].length
  const bytes = said.stdout.subarray(start, start + Number(header[1]))
  return said.isCut ? cutText(bytes) : bytes.toString('utf8')
}
