import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { gitText } from './git-answer.ts'
import { gitEnvironment } from './git-environment.ts'
import { runGit } from './run-git.ts'

/** The first git that merges without a checkout: merge-tree --write-tree. */
const NEEDED = [2, 38] as const

export async function checkGit(): Promise<Result<{ readonly version: string }, GitFailure>> {
  const environment = gitEnvironment('/dev/null')
  const said = await gitText((call) => runGit(environment, call), { arguments: ['version'] })
  if (!said.ok) return said

  const version = /\d+(?:\.\d+)+/.exec(said.value)?.[0] ?? said.value
  if (!isRecent(version)) return failure({ type: 'git-too-old', version, needed: NEEDED.join('.') })
  return success({ version })
}

export function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
}
