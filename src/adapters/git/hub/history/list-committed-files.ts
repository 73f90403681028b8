import { askGit } from '../process/git-answer.ts'
import { LISTED_PATH_BYTES } from '../process/path-length.ts'
import type { Git } from '../process/run-git.ts'
import { isObjectId } from '../repository/object-id.ts'

const MOST_FILES = 5_000

/** Paths of the files below a directory of a commit. */
export async function listCommittedFiles(
  needs: { readonly git: Git },
  hub: string,
  commit: string,
  directory: string,
): Promise<readonly string[]> {
  if (!isObjectId(commit) || directory.includes('\0')) return []
  const files: string[] = []
  const said = await askGit(needs.git, {
    directory: hub,
    arguments: ['ls-tree', '-r', '-z', '--name-only', '--end-of-options', commit, `${directory}/`],
    onRecord: (record) => {
      files.push(record.toString('utf8'))
      return files.length === MOST_FILES ? 'enough' : undefined
    },
    cutRecordsAt: LISTED_PATH_BYTES,
  })
  return said.code === 0 ? files : []
}
