import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Surroundings } from '../surroundings.ts'

const execute = promisify(execFile)
type Environment = Surroundings['environment']

const TIMEOUT_MS = 60_000
const MAX_OUTPUT = 16 * 1024 * 1024

/** Whether a person's checkout can be updated: only without changes that aren't committed. */
export type Checkout =
  | { readonly type: 'clean' }
  | { readonly type: 'changed'; readonly files: readonly string[] }
  /** It isn't on this machine, has another branch by now, or git can't read it. */
  | { readonly type: 'unreadable' }

/** Untracked files don't count: git itself refuses to overwrite them. */
export async function readCheckout(
  environment: Environment,
  directory: string,
  branch: string,
): Promise<Checkout> {
  const head = await git(environment, directory, ['symbolic-ref', 'HEAD'])
  if (!head.ok || head.value.trim() !== `refs/heads/${branch}`) return { type: 'unreadable' }
  const status = await git(environment, directory, ['status', '--porcelain=v1', '-z', '--untracked-files=no'])
  if (!status.ok) return { type: 'unreadable' }
  const files = changedFiles(status.value)
  return files.length === 0 ? { type: 'clean' } : { type: 'changed', files }
}

/** The most that a remark about a checkout may delay a command. */
const REMARK_MS = 5_000

/**
 * The files that differ from the last commit, new ones included; none if git can't tell in a few seconds. Git runs
 * filters that the repository configures, so this is only for a repository that the person trusts.
 */
export async function uncommittedFiles(
  environment: Environment,
  directory: string,
): Promise<readonly string[]> {
  const parameters = ['--no-optional-locks', '-c', 'core.fsmonitor=false', 'status', '--porcelain=v1', '-z']
  const status = await git(environment, directory, parameters, REMARK_MS)
  return status.ok ? changedFiles(status.value) : []
}

/** Updates branch, index and files, as the person would. Fails without changing anything if something is in the way. */
export function fastForward(
  environment: Environment,
  directory: string,
  commit: string,
): Promise<Result<string, string>> {
  return git(environment, directory, ['merge', '--quiet', '--ff-only', '--end-of-options', commit])
}

async function git(
  environment: Environment,
  directory: string,
  parameters: readonly string[],
  timeoutMs = TIMEOUT_MS,
): Promise<Result<string, string>> {
  // The person's own environment, except for what would make git use another repository or wait for an answer.
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...own } = environment
  const env = { ...own, GIT_TERMINAL_PROMPT: '0' }
  try {
    const options = { timeout: timeoutMs, maxBuffer: MAX_OUTPUT, env }
    const { stdout } = await execute('git', ['-C', directory, ...parameters], options)
    return success(stdout)
  } catch (error) {
    const words = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    return failure(words === '' ? String(error) : words)
  }
}

/** Each entry is two letters, a space and a path. A renamed file is followed by its old path. */
function changedFiles(status: string): readonly string[] {
  const files: string[] = []
  const entries = status.split('\0').values()
  for (const entry of entries) {
    if (entry === '') continue
    files.push(entry.slice(3))
    if (entry[0] === 'R' || entry[0] === 'C') entries.next()
  }
  return files
}
