import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { gitText } from './git-answer.ts'
import type { Git } from './run-git.ts'

/** The first version that merges without a checkout, with `git merge-tree --write-tree`. */
const NEEDED = [2, 38] as const

/** Checks once that git is recent enough, and again after every time it wasn't. */
export function createGitCheck(git: Git): () => Promise<Result<void, GitFailure>> {
  let isRecent = false
  return async () => {
    if (isRecent) return success(undefined)
    const said = await gitText(git, { arguments: ['version'] })
    if (!said.ok) return said
    const version = /\d+(?:\.\d+)+/.exec(said.value)?.[0] ?? said.value
    const [major = 0, minor = 0] = version.split('.').map(Number)
    isRecent = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
    return isRecent ? success(undefined) : failure({ type: 'git-too-old', version, needed: NEEDED.join('.') })
  }
}
