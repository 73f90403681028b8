import { failure, type Result, success } from '../../../domain/result.ts'
import type { GitFailure, RepositoryOverview } from '../../../ports/hub.ts'
import { gitText } from './git-answer.ts'
import { isObjectId } from './object-id.ts'
import type { Git } from './run-git.ts'

const FILES_LISTED = 500
const COMMITS_LISTED = 20

export async function readOverview(
  needs: { readonly git: Git },
  directory: string,
  commit: string,
  base?: string,
): Promise<Result<RepositoryOverview, GitFailure>> {
  const files: string[] = []
  let totalFiles = 0
  const [listed, logged, changedFiles] = await Promise.all([
    gitText(needs.git, {
      directory,
      arguments: ['ls-tree', '-r', '-z', '--name-only', '--end-of-options', commit],
      onRecord: (record) => {
        totalFiles += 1
        if (files.length < FILES_LISTED) files.push(record.toString('utf8'))
      },
    }),
    gitText(needs.git, {
      directory,
      arguments: ['log', `--max-count=${COMMITS_LISTED}`, '--format=%s', '--end-of-options', commit],
    }),
    base === undefined ? success([]) : findChangedFiles(needs.git, directory, base, commit),
  ])
  if (!listed.ok) return listed
  if (!logged.ok) return failure(logged.failure)
  if (!changedFiles.ok) return changedFiles
  const recentCommits = logged.value.split('\n')
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
  const files: string[] = []
  const compared = await gitText(git, {
    directory,
    arguments: ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--end-of-options', base, commit],
    onRecord: (record) => {
      files.push(record.toString('utf8'))
      return files.length === FILES_LISTED ? 'enough' : undefined
    },
  })
  return compared.ok ? success(files) : compared
}
