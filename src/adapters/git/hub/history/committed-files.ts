import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { askGit, gitText } from '../process/git-answer.ts'
import { cutText, LISTED_PATH_BYTES } from '../process/git-output.ts'
import type { Git } from '../process/run-git.ts'
import { isObjectId } from '../repository/object-id.ts'

const MOST_FILES = 5_000
const MOST_BYTES = 4 * 1024 * 1024
const HEADER = /^[0-9a-f]+ blob (\d+)\n/

/** The paths of the files below a directory in a commit. */
export async function listCommittedFiles(
  needs: { readonly git: Git },
  hub: string,
  commit: string,
  directory: string,
): Promise<readonly string[]> {
  if (!isObjectId(commit) || directory.includes('\0')) return []
  const files: string[] = []
  const run = await askGit(needs.git, {
    directory: hub,
    arguments: ['ls-tree', '-r', '-z', '--name-only', '--end-of-options', commit, `${directory}/`],
    onRecord: (record) => {
      files.push(record.toString('utf8'))
      return files.length === MOST_FILES ? 'enough' : undefined
    },
    cutRecordsAt: LISTED_PATH_BYTES,
  })
  return run.code === 0 ? files : []
}

/** How many files a commit has. Counting stops just above `most`. */
export async function countCommittedFiles(
  needs: { readonly git: Git },
  hub: string,
  commit: string,
  most: number,
): Promise<Result<number, GitFailure>> {
  let files = 0
  const listed = await gitText(needs.git, {
    directory: hub,
    arguments: ['ls-tree', '-r', '-z', '--name-only', '--end-of-options', commit],
    onRecord: () => {
      files += 1
      return files > most ? 'enough' : undefined
    },
    cutRecordsAt: 1,
  })
  return listed.ok ? success(files) : listed
}

/** The text of a file in a commit. Follows links inside the tree and cuts long files. Undefined if it is not a file. */
export async function readCommittedFile(
  needs: { readonly git: Git },
  hub: string,
  commit: string,
  path: string,
): Promise<string | undefined> {
  // Git would resolve a path that starts with ./ relative to the directory where it runs.
  if (!isObjectId(commit) || /^\.{0,2}\/|\0/.test(path)) return undefined
  const run = await askGit(needs.git, {
    directory: hub,
    arguments: ['cat-file', '--batch', '--follow-symlinks', '-z'],
    input: `${commit}:${path}\0`,
    cutAfterBytes: MOST_BYTES,
  })
  const header = HEADER.exec(run.stdout.subarray(0, 200).toString('latin1'))
  if (run.code !== 0 || header === null) return undefined
  const start = header[0].length
  const bytes = run.stdout.subarray(start, start + Number(header[1]))
  return run.isCut ? cutText(bytes) : bytes.toString('utf8')
}
