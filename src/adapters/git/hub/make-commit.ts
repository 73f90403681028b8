import type { Result } from '../../../domain/result.ts'
import type { GitFailure } from '../../../ports/hub.ts'
import { gitText } from './git-answer.ts'
import type { Git } from './run-git.ts'

export type NewCommit = {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  /** Never the present time: the same commit made again after a death must have the same id. */
  readonly time: number
}

export async function makeCommit(
  needs: { readonly git: Git },
  directory: string,
  made: NewCommit,
): Promise<Result<string, GitFailure>> {
  const date = `@${made.time} +0000`
  const message = made.message.replaceAll('\0', '')
  return await gitText(needs.git, {
    directory,
    arguments: ['commit-tree', ...made.parents.flatMap((parent) => ['-p', parent]), '-F', '-', made.tree],
    environment: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    input: message.endsWith('\n') ? message : `${message}\n`,
  })
}
