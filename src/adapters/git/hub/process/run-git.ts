import { type ChildProcess, spawn } from 'node:child_process'
import { kill } from 'node:process'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { writeGitConfigFile } from './git-config-file.ts'
import { gitEnvironment } from './git-environment.ts'
import { createOutput, type OnRecord, type Output } from './git-output.ts'
import { systemErrorCode } from './system-error.ts'

export type GitCall = {
  /** The git directory to work on; absent for the few commands that need none. */
  readonly directory?: string
  /** The checkout to work on, for commands that read or write files. */
  readonly workTree?: string
  /** Subcommand first. Data stands behind `--end-of-options` or comes by `input`. */
  readonly arguments: readonly [string, ...string[]]
  /** Settings for this call alone, stronger than any configuration file. */
  readonly settings?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string | Uint8Array
  /** Gets each NUL-ended record as it comes and may end git when it has enough; standard output is then not kept. */
  readonly onRecord?: OnRecord
  /** The most bytes of one record; without it, a record that is far too long makes the call fail. */
  readonly cutRecordsAt?: number
  /** Git is ended when it has printed more than this, and the rest is left out. */
  readonly cutAfterBytes?: number
  readonly timeoutMs?: number
}

export type GitRun = {
  readonly command: string
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
  /** Whether there was more than what was asked for. */
  readonly isCut: boolean
}

/** Runs git once. Any exit status is an answer; a failure means git could not do its work at all. */
export type Git = (call: GitCall) => Promise<Result<GitRun, GitFailure>>

/** For commands whose work grows with the repository: fetch, checkout, add. */
export const LONG_TIMEOUT_MS = 30 * 60_000
const TIMEOUT_MS = 2 * 60_000
/** Here, not in a file: these must also win over the configuration of a repository that is not ours. */
const SETTINGS = ['core.hooksPath=/dev/null', 'core.fsmonitor=false']
const NO_SPACE = /No space left on device|Disk quota exceeded/

/** How this adapter runs git once; `git-companion.ts` keeps one running. */
export function createGit(options: { readonly gitConfigFile: string }): Git {
  const environment = gitEnvironment(options.gitConfigFile)
  let configured = false

  return async (call) => {
    if (!configured) await writeGitConfigFile(options.gitConfigFile)
    configured = true
    return await runGit(environment, call)
  }
}

export async function runGit(
  environment: Readonly<Record<string, string>>,
  call: GitCall,
): Promise<Result<GitRun, GitFailure>> {
  const command = `git ${call.arguments[0]}`
  const ended = await runProcess(environment, call)
  if (ended.type === 'unstartable') {
    if (systemErrorCode(ended.error) === 'ENOENT') return failure({ type: 'git-missing' })
    return failure({ type: 'git-failed', command, problem: String(ended.error) })
  }

  const { output, code, signal } = ended
  const stderr = output.stderr()
  if (output.hasEnough()) return success({ command, code: 0, stdout: output.stdout(), stderr, isCut: true })
  if (code !== 0 && NO_SPACE.test(stderr)) return failure({ type: 'disk-full', path: call.directory ?? '/' })
  const problem = output.problem() ?? (code === null ? `ended by ${signal}` : undefined)
  if (problem !== undefined || code === null) {
    return failure({ type: 'git-failed', command, problem: problem ?? 'ended without a status' })
  }
  return success({ command, code, stdout: output.stdout(), stderr, isCut: false })
}

type Ended =
  | { readonly type: 'unstartable'; readonly error: unknown }
  | {
      readonly type: 'ended'
      readonly code: number | null
      readonly signal: NodeJS.Signals | null
      readonly output: Output
    }

function runProcess(environment: Readonly<Record<string, string>>, call: GitCall): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn('git', gitArguments(call), {
      // Neutral: git changes into a checkout itself, so a missing one is git's error and not ours.
      cwd: '/',
      env: { ...environment, ...call.environment },
      // A group of its own: upload-pack and the like are ended with it, a terminal's Ctrl-C is not heard.
      detached: true,
      stdio: [call.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    const output = createOutput(call, () => killGroup(child))
    const timeoutMs = call.timeoutMs ?? TIMEOUT_MS
    const timer = setTimeout(() => output.refuse(`no end after ${timeoutMs / 1000} s`), timeoutMs)
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve({ type: 'unstartable', error })
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ type: 'ended', code, signal, output })
    })
    child.stdout?.on('data', output.takeStdout)
    child.stderr?.on('data', output.takeStderr)
    // A git that ends before it has read its input says why by its status.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(call.input)
  })
}

/** All of the command line behind `git`. */
export function gitArguments(
  call: Pick<GitCall, 'directory' | 'workTree' | 'settings' | 'arguments'>,
): readonly string[] {
  const settings = [...SETTINGS, ...(call.settings ?? [])].flatMap((setting) => ['-c', setting])
  const directory = call.directory === undefined ? [] : [`--git-dir=${call.directory}`]
  const workTree = call.workTree === undefined ? [] : ['-C', call.workTree, `--work-tree=${call.workTree}`]
  return [...workTree, ...directory, ...settings, ...call.arguments]
}

/** With the processes that it started. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error
  }
}
