import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

export type ProcessRequest = {
  readonly command: string
  readonly arguments: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** Whether the caller writes input. Otherwise the input is empty. */
  readonly hasInput: boolean
  /** Whether the caller reads output. Otherwise the output is discarded. */
  readonly hasOutput: boolean
  /** Whether this process may exit while the started one is running. */
  readonly isBackground: boolean
}

export type ProcessEnd =
  | { readonly type: 'ended'; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly type: 'unstartable'; readonly code?: string; readonly problem: string }
  /** The helper that started the process has died, so its state is unknown. */
  | { readonly type: 'lost' }

export type ProcessListener = {
  /** No more output is read until the returned promise resolves. */
  onStdout?(chunk: Buffer): Promise<void> | void
  onStderr?(chunk: Buffer): Promise<void> | void
  /** Called once, after the last output. */
  onEnd(end: ProcessEnd): void
}

export type StartedProcess = {
  write(bytes: string | Uint8Array): void
  endInput(): void
  /** Kills the process and its process group. Has no effect once the process has ended. */
  kill(): void
  /** Asks the process and its process group to exit, so that git removes its locks. */
  terminate(): void
}

/** Starts a process as the leader of its own session, so that neither Ctrl-C nor the end of this process reaches it. */
export type StartProcess = (request: ProcessRequest, listener: ProcessListener) => StartedProcess

/** What can be done with a process that was never started: nothing. */
export const NOT_STARTED: StartedProcess = {
  write: () => {},
  endInput: () => {},
  kill: () => {},
  terminate: () => {},
}

/** Starts a process from this one. That blocks a large process for longer than a small one: see `createSpawner`. */
export const startProcess: StartProcess = (request, listener) => {
  try {
    return follow(spawnIt(request), listener)
  } catch (error) {
    // Node throws some of the errors and emits others.
    process.nextTick(() => listener.onEnd(unstartable(error)))
    return NOT_STARTED
  }
}

function spawnIt({ hasInput, hasOutput, isBackground, ...request }: ProcessRequest): ChildProcess {
  const output = hasOutput ? 'pipe' : 'ignore'
  const child = spawn(request.command, request.arguments, {
    cwd: request.cwd,
    env: request.environment,
    detached: true,
    stdio: [hasInput ? 'pipe' : 'ignore', output, output],
  })
  if (isBackground) {
    child.unref()
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
    }
  }
  return child
}

function follow(child: ChildProcess, listener: ProcessListener): StartedProcess {
  let isEnded = false
  const end = (ended: ProcessEnd) => {
    if (!isEnded) listener.onEnd(ended)
    isEnded = true
  }
  child.on('error', (error) => end(unstartable(error)))
  child.on('close', (code, signal) => end({ type: 'ended', code, signal }))
  forward(child.stdout, listener.onStdout)
  forward(child.stderr, listener.onStderr)
  // A process may end before it has read its input. Its status shows why.
  child.stdin?.on('error', () => undefined)
  return {
    write: (bytes) => void child.stdin?.write(bytes),
    endInput: () => void child.stdin?.end(),
    kill: () => signalGroup(child, 'SIGKILL'),
    terminate: () => signalGroup(child, 'SIGTERM'),
  }
}

function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): void {
  // The PID belongs to the process until it has been reaped.
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The process is just ending.
  }
}

function forward(stream: Readable | null, take: ProcessListener['onStdout']): void {
  stream?.on('data', (chunk: Buffer) => {
    const taken = take?.(chunk)
    if (taken === undefined) return
    stream.pause()
    void taken.then(() => stream.resume())
  })
}

function unstartable(error: unknown): ProcessEnd {
  const code = error instanceof Error && 'code' in error ? { code: String(error.code) } : {}
  return { type: 'unstartable', ...code, problem: error instanceof Error ? error.message : String(error) }
}
