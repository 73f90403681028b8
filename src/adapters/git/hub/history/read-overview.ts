import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { RepositoryOverview } from '../../../../ports/history.ts'
import { gitText } from '../process/git-answer.ts'
import { cutText, LISTED_PATH_BYTES } from '../process/git-output.ts'
import type { Git } from '../process/run-git.ts'
import { isObjectId } from '../repository/object-id.ts'
import { listChangedFiles } from './list-changed-files.ts'

const FILES_LISTED = 500
const FILES_COUNTED = 1_000_000
const COMMITS_LISTED = 20
const SUBJECT_BYTES = 400

export async function readOverview(
  needs: { readonly git: Git },
  directory: string,
  commit: string,
  base?: string,
): Promise<Result<RepositoryOverview, GitFailure>> {
  const files: string[] = []
  const recentCommits: string[] = []
  let totalFiles = 0
  const [listed, logged, changedFiles] = await Promise.all([
    gitText(needs.git, {
      directory,
      arguments: ['ls-tree', '-r', '-z', '--name-only', '--end-of-options', commit],
      onRecord: (record) => {
        totalFiles += 1
        if (files.length < FILES_LISTED) files.push(record.toString('utf8'))
        return totalFiles === FILES_COUNTED ? 'enough' : undefined
      },
      cutRecordsAt: LISTED_PATH_BYTES,
    }),
    gitText(needs.git, {
      directory,
      arguments: ['log', `--max-count=${COMMITS_LISTED}`, '-z', '--format=%s', '--end-of-options', commit],
      onRecord: (record) => {
        recentCommits.push(cutText(record))
      },
      cutRecordsAt: SUBJECT_BYTES,
    }),
    base === undefined ? success([]) : findChangedFiles(needs.git, directory, base, commit),
  ])
  if (!listed.ok) return listed
  if (!logged.ok) return failure(logged.failure)
  if (!changedFiles.ok) return changedFiles
  return success({ files, totalFiles, recentCommits, changedFiles: changedFiles.value })
}

async function findChangedFiles(
  git: Git,
  directory: string,
  base: string,
  commit: string,
): Promise<Result<readonly string[], GitFailure>> {
  if (!isObjectId(base)) {
    return failure({ type: 'git-failed', command: 'git diff-tree', problem: `${base} is not a commit` })
  }
  return await listChangedFiles(git, directory, { from: base, to: commit, most: FILES_LISTED })
}
