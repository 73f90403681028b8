import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { Git, GitCall, GitRun } from './run-git.ts'

const PROBLEM_LENGTH = 2000

/** A run whose exit status means that git refused. */
export function gitFailed(run: GitRun): GitFailure {
  const words = run.stderr.trim().slice(-PROBLEM_LENGTH)
  return {
    type: 'git-failed',
    command: run.command,
    problem: words === '' ? `exit status ${run.code}` : words,
  }
}

/** For a command that must succeed: what it printed, without the line end. */
export async function gitText(git: Git, call: GitCall): Promise<Result<string, GitFailure>> {
  const ran = await git(call)
  if (!ran.ok) return ran
  if (ran.value.code !== 0) return failure(gitFailed(ran.value))
  return success(ran.value.stdout.toString('utf8').trimEnd())
}

/** For a question to git: no answer is an answer, a git that does not work is a defect of the machine. */
export async function askGit(git: Git, call: GitCall): Promise<GitRun> {
  const ran = await git(call)
  if (ran.ok) return ran.value
  throw new Error(`git is not usable: ${JSON.stringify(ran.failure)}`)
}
