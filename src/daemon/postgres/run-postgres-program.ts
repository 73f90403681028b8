import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { PostgresAccount } from './postgres-account.ts'
import { isSystemError } from './system-error.ts'

export type ProgramRun = {
  readonly program: string
  readonly arguments: readonly string[]
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** The signal sent to the program on timeout or abort. */
  readonly stopWith?: NodeJS.Signals
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
  /** A file descriptor for the program's output; without it, the outcome contains the output. */
  readonly outputTo?: number
}

export type ProgramOutcome =
  | { readonly type: 'done'; readonly output: string }
  | { readonly type: 'failed'; readonly output: string }
  | { readonly type: 'timed-out' }
  | { readonly type: 'not-started'; readonly code: string }

const MAX_OUTPUT = 64 * 2 ** 10

/** Runs one of the database's programs as the database's user, in an environment without our variables. */
export async function runPostgresProgram(account: PostgresAccount, run: ProgramRun): Promise<ProgramOutcome> {
  const limit = AbortSignal.timeout(run.timeoutMs)
  const signal = run.signal === undefined ? limit : AbortSignal.any([limit, run.signal])
  const child = spawn(run.program, run.arguments, { ...spawnOptions(account, run), signal })
  const output = collectEnd(child)
  // A program that exits before it has read its input reports that with its exit code.
  child.stdin?.on('error', () => undefined).end(run.input)
  try {
    const [exitCode] = await once(child, 'close')
    return exitCode === 0 ? { type: 'done', output: output() } : { type: 'failed', output: output() }
  } catch (error) {
    if (signal.aborted) return { type: 'timed-out' }
    if (isSystemError(error)) return { type: 'not-started', code: error.code ?? 'unknown' }
    throw error
  }
}

function spawnOptions(account: PostgresAccount, run: ProgramRun): SpawnOptions {
  const output = run.outputTo ?? 'pipe'
  return {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...run.environment },
    stdio: [run.input === undefined ? 'ignore' : 'pipe', output, output],
    killSignal: run.stopWith ?? 'SIGKILL',
    ...(account.isSwitched ? { uid: account.uid, gid: account.gid } : {}),
  }
}

/** Keeps the end of the program's output, where errors are. */
function collectEnd(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-MAX_OUTPUT)
    })
  }
  return () => text
}
