import { failure, type Result, success } from '../../domain/result.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import { safeText } from '../render/text/safe-text.ts'
import { type OwnGit, runOwnGit } from './own-git.ts'
import { TARGET } from './pushing-repository.ts'
import type { ProgramRun } from './run-program.ts'

/** Pushing a large history over a slow line takes a while. */
const PUSH_TIMEOUT_MS = 30 * 60_000
const LOOK_TIMEOUT_MS = 2 * 60_000
const READ_TIMEOUT_MS = 30_000
const SHOWN_LINES = 12

export type RemoteBranches = { readonly base?: string; readonly branch?: string }

type Place = { readonly path: string; readonly remote: string; readonly shownUrl: string }

/** Where the two branches are on the remote. This also shows whether the person may read it at all. */
export async function readRemoteBranches(
  git: OwnGit,
  place: Place,
  names: { readonly base: string; readonly branch: string },
): Promise<Result<RemoteBranches, Problem>> {
  const refs = { base: `refs/heads/${names.base}`, branch: `refs/heads/${names.branch}` }
  const listed = await inside(
    git,
    place,
    ['ls-remote', '--quiet', TARGET, refs.base, refs.branch],
    LOOK_TIMEOUT_MS,
  )
  if (!listed.ok) return failure(gitProblem(place, listed.failure, 'read'))
  if (listed.value.code !== 0) return failure(gitProblem(place, listed.value.stderr, 'read'))
  const found = new Map(
    listed.value.stdout.split('\n').map((line) => {
      const [id = '', ref = ''] = line.split('\t')
      return [ref, id] as const
    }),
  )
  const [base, branch] = [found.get(refs.base), found.get(refs.branch)]
  return success({ ...(base === undefined ? {} : { base }), ...(branch === undefined ? {} : { branch }) })
}

/** Whether a commit of the remote contains another one; undefined if the remote is ahead of what is known here. */
export async function contains(
  git: OwnGit,
  place: Place,
  commit: string,
  other: string,
): Promise<boolean | undefined> {
  const known = await inside(git, place, ['cat-file', '-e', `${commit}^{commit}`], READ_TIMEOUT_MS)
  if (!known.ok || known.value.code !== 0) return undefined
  const asked = await inside(git, place, ['merge-base', '--is-ancestor', other, commit], READ_TIMEOUT_MS)
  return asked.ok && asked.value.code <= 1 ? asked.value.code === 0 : undefined
}

/** Pushes a commit to a branch, forward only. True if the branch moved, false if it was there already. */
export async function pushBranch(
  git: OwnGit,
  place: Place,
  { commit, branch }: { readonly commit: string; readonly branch: string },
): Promise<Result<boolean, Problem>> {
  const parameters = ['push', '--porcelain', '--no-follow-tags', '--recurse-submodules=no', TARGET]
  const pushed = await inside(git, place, [...parameters, `${commit}:refs/heads/${branch}`], PUSH_TIMEOUT_MS)
  if (!pushed.ok) return failure(gitProblem(place, pushed.failure, 'push'))
  const { code, stdout } = pushed.value
  const line = stdout.split('\n').find((candidate) => candidate.includes(`:refs/heads/${branch}\t`))
  if (code === 0) return success(!(line?.startsWith('=') ?? false))
  if (line !== undefined && /\((?:non-fast-forward|fetch first|needs force|stale info)\)/.test(line)) {
    return failure(movedProblem(place, branch))
  }
  return failure(gitProblem(place, wordsOf(pushed.value, line), 'push'))
}

/** Named explicitly, because some people don't let git find a bare repository by itself. */
function inside(git: OwnGit, { path }: Place, parameters: readonly string[], timeoutMs: number) {
  return runOwnGit(git, path, [`--git-dir=${path}`, ...parameters], timeoutMs)
}

function wordsOf({ stderr }: ProgramRun, line: string | undefined): string {
  const reason = line?.split('\t')[2]
  return reason === undefined ? stderr : `${reason}\n${stderr}`
}

function movedProblem({ remote }: Place, branch: string): Problem {
  return {
    type: 'push-rejected',
    exitCode: EXIT.conflict,
    message: `${branch} on ${remote} has commits that the job doesn't have, so it can't be fast-forwarded`,
    why: 'Muster never forces a push. Push to another branch, or bring those commits into the base branch first.',
    next: `muster pr --branch ${branch}-2`,
  }
}

const REFUSED =
  /Authentication failed|Permission denied|could not read (?:Username|Password)|terminal prompts disabled|returned error: 40[13]|Invalid username or|access denied|Host key verification failed|not authorized/i
const ABSENT =
  /Repository not found|does not appear to be a git repository|returned error: 404|project you were looking for could not be found/i
const UNREACHABLE =
  /Could not resolve host|Connection (?:refused|timed out|reset)|Network is unreachable|Failed to connect|No route to host/i

/** Explains in words why git could not read or push. */
function gitProblem({ remote, shownUrl }: Place, words: string, deed: 'read' | 'push'): Problem {
  const why = safeText(withoutPasswords(words)).trim().split('\n').slice(0, SHOWN_LINES).join('\n')
  const where = `${remote} (${shownUrl})`
  if (REFUSED.test(words)) {
    return {
      type: 'push-refused',
      exitCode: EXIT.notPermitted,
      message: `${where} did not accept your credentials`,
      why,
      next: `git ls-remote ${shownUrl} (this has to work first)`,
    }
  }
  if (ABSENT.test(words)) {
    const message = `there is no repository at ${where}, or you have no access to it`
    return { type: 'remote-absent', exitCode: EXIT.failed, message, why, next: 'git remote -v' }
  }
  if (UNREACHABLE.test(words)) {
    return {
      type: 'remote-unreachable',
      exitCode: EXIT.failed,
      message: `${where} could not be reached`,
      why,
    }
  }
  const message = deed === 'push' ? `git could not push to ${where}` : `git could not read ${where}`
  return { type: 'push-failed', exitCode: EXIT.failed, message, why }
}

/** Git itself removes passwords from most of its messages. */
function withoutPasswords(words: string): string {
  return words.replaceAll(/([a-z+]+:\/\/)[^/\s]*@/gi, '$1')
}
