import { failure, type Result, success } from '../../../domain/result.ts'
import type { GitFailure, RepositoryOverview } from '../../../ports/hub.ts'
import { gitText } from './git-answer.ts'
import type { Git } from './run-git.ts'

const FILES_LISTED = 500
const COMMITS_LISTED = 20

export async function readOverview(
  needs: { readonly git: Git },
  directory: string,
  commit: string,
): Promise<Result<RepositoryOverview, GitFailure>> {
  const files: string[] = []
  let totalFiles = 0
  const [listed, logged] = await Promise.all([
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
  ])
  if (!listed.ok) return listed
  if (!logged.ok) return failure(logged.failure)
  return success({ files, totalFiles, recentCommits: logged.value.split('\n') })
}
