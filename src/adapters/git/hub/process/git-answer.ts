import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { Git, GitCall, GitRun } from './run-git.ts'

const PROBLEM_LENGTH = 2000

/** The failure for a run whose exit status means that git refused. */
export function gitFailed(run: GitRun): Extract<GitFailure, { type: 'git-failed' }> {
  const message = run.stderr.trim().slice(-PROBLEM_LENGTH)
  return {
    type: 'git-failed',
    command: run.command,
    problem: message === '' ? `exit status ${run.code}` : message,
  }
}

/** Runs a command that must succeed and returns its output without the final newline. */
export async function gitText(git: Git, call: GitCall): Promise<Result<string, GitFailure>> {
  const ran = await git(call)
  if (!ran.ok) return ran
  if (ran.value.code !== 0) return failure(gitFailed(ran.value))
  return success(ran.value.stdout.toString('utf8').trimEnd())
}

/** Runs a query that may have no answer. Throws if git itself doesn't work on this machine. */
export async function askGit(git: Git, call: GitCall): Promise<GitRun> {
  const ran = await git(call)
  if (ran.ok) return ran.value
  throw new Error(`git is not usable: ${JSON.stringify(ran.failure)}`)
}
