import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { type ProcessEnd, type StartProcess, startProcess } from '../../../shared/processes/start-process.ts'
import { createOutput, type Output, type OutputLimits } from './git-output.ts'
import { createGitEnvironment, type GitEnvironment } from './git-settings.ts'

export type GitCall = OutputLimits & {
  /** The git directory to work on. Absent for the few commands that don't need one. */
  readonly directory?: string
  /** The checkout to work on, for commands that read or write files. */
  readonly workTree?: string
  /** Subcommand first. Data goes after `--end-of-options` or into `input`. */
  readonly arguments: readonly [string, ...string[]]
  /** Settings for this call only. They override every configuration file. */
  readonly settings?: readonly string[]
  /** Added to the usual environment. An undefined variable is removed from it. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly input?: string | Uint8Array
  readonly timeoutMs?: number
}

export type GitRun = {
  readonly command: string
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
  /** Whether git was ended early, because the caller had enough output. */
  readonly isCut: boolean
}

/** Runs git once. Every exit status is a success; a failure means that git could not run to its end. */
export type Git = (call: GitCall) => Promise<Result<GitRun, GitFailure>>

/** For commands whose work grows with the repository: fetch, checkout, add. */
export const LONG_TIMEOUT_MS = 30 * 60_000
const TIMEOUT_MS = 2 * 60_000
/** On the command line rather than in a file, because they must also override a foreign repository's configuration. */
const SETTINGS = ['core.hooksPath=/dev/null', 'core.fsmonitor=false']
const NO_SPACE = /No space left on device|Disk quota exceeded/

/** Runs one git process per call. `git-companion.ts` keeps a git process running instead. */
export function createGit({ gitConfigFile, startProcess: start }: GitOptions): Git {
  const environment = createGitEnvironment(gitConfigFile)
  return async (call) => await runGit(await environment(), call, start)
}

export type GitOptions = {
  readonly gitConfigFile: string
  /** How git processes are started. By default, this process starts them itself. */
  readonly startProcess?: StartProcess | undefined
}

export async function runGit(
  environment: GitEnvironment,
  call: GitCall,
  start: StartProcess = startProcess,
): Promise<Result<GitRun, GitFailure>> {
  const command = `git ${call.arguments[0]}`
  const { output, end } = await runProcess(start, environment, call)
  if (end.type === 'unstartable' && end.code === 'ENOENT') return failure({ type: 'git-missing' })
  if (end.type !== 'ended') return failure({ type: 'git-failed', command, problem: problemOf(end) })

  const { code, signal } = end
  const stderr = output.stderr()
  if (output.hasEnough()) return success({ command, code: 0, stdout: output.stdout(), stderr, isCut: true })
  if (code !== 0 && NO_SPACE.test(stderr)) return failure({ type: 'disk-full', path: call.directory ?? '/' })
  const problem = output.problem()
  if (problem !== undefined || code === null) {
    return failure({ type: 'git-failed', command, problem: problem ?? `ended by ${signal}` })
  }
  return success({ command, code, stdout: output.stdout(), stderr, isCut: false })
}

function problemOf(end: Exclude<ProcessEnd, { type: 'ended' }>): string {
  return end.type === 'lost' ? 'the process that started git has died' : end.problem
}

type Ran = { readonly output: Output; readonly end: ProcessEnd }

function runProcess(start: StartProcess, environment: GitEnvironment, call: GitCall): Promise<Ran> {
  return new Promise((resolve) => {
    const output = createOutput(call, () => git.kill())
    const timeoutMs = call.timeoutMs ?? TIMEOUT_MS
    const timer = setTimeout(() => output.refuse(`timed out after ${timeoutMs / 1000} s`), timeoutMs)
    const git = start(
      {
        command: 'git',
        arguments: gitArguments(call),
        // Git changes into the checkout itself, so that a missing checkout is reported by git.
        cwd: '/',
        environment: withVariables(environment, call.environment),
        hasInput: call.input !== undefined,
        hasOutput: true,
        isBackground: false,
      },
      {
        onStdout: output.takeStdout,
        onStderr: output.takeStderr,
        onEnd(end) {
          clearTimeout(timer)
          resolve({ output, end })
        },
      },
    )
    if (call.input !== undefined) git.write(call.input)
    git.endInput()
  })
}

function withVariables(environment: GitEnvironment, added: GitCall['environment'] = {}): GitEnvironment {
  const merged = Object.entries({ ...environment, ...added })
  return Object.fromEntries(merged.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** Everything on the command line after `git`. */
export function gitArguments(
  call: Pick<GitCall, 'directory' | 'workTree' | 'settings' | 'arguments'>,
): readonly string[] {
  const settings = [...SETTINGS, ...(call.settings ?? [])].flatMap((setting) => ['-c', setting])
  const directory = call.directory === undefined ? [] : [`--git-dir=${call.directory}`]
  const workTree = call.workTree === undefined ? [] : ['-C', call.workTree, `--work-tree=${call.workTree}`]
  return [...workTree, ...directory, ...settings, ...call.arguments]
}
