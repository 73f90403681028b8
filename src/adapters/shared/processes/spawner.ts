import { type ChildProcess, spawn } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  NOT_STARTED,
  type ProcessEnd,
  type ProcessListener,
  type ProcessRequest,
  type StartedProcess,
  type StartProcess,
  startProcess,
} from './start-process.ts'

export type SpawnerOrder = { readonly id: number } & (
  | { readonly type: 'start'; readonly request: ProcessRequest }
  | { readonly type: 'write'; readonly bytes: string | Uint8Array }
  | { readonly type: 'end-input' }
  | { readonly type: 'kill' | 'terminate' }
)

export type SpawnerReport = { readonly id: number } & (
  | { readonly type: 'stdout' | 'stderr'; readonly chunk: Uint8Array }
  | { readonly type: 'end'; readonly end: ProcessEnd }
)

/** How long a killed process may take to end. */
const STUCK_AFTER_MS = 10_000

export type Spawner = Disposable & { readonly start: StartProcess }

const PROGRAM = fileURLToPath(new URL(`./spawner-process${extname(import.meta.filename)}`, import.meta.url))

/**
 * Starts processes from a small helper process. Forking copies the page tables of the forking process: in a daemon of
 * two hundred megabytes, that blocks everything else for many milliseconds. In the helper, it takes less than one.
 *
 * Contract: the helper exits with this process and asks the others to exit, but background processes keep running. If
 * the helper dies, its processes are reported as lost, and the next start gets a new helper. If no helper can run, this process starts
 * processes itself.
 */
export function createSpawner(): Spawner {
  let helper: Helper | undefined = startHelper()
  let isClosed = false
  return {
    start(request, listener) {
      if (!isClosed && helper?.isGone() === true) helper = helper.wasOfUse() ? startHelper() : undefined
      if (isClosed) return refuse(listener)
      if (helper === undefined) return startProcess(request, listener)
      return helper.start(request, listener)
    },
    [Symbol.dispose]() {
      isClosed = true
      helper?.close()
    },
  }
}

/** Nothing is started while everything stops: nobody would wait for its end. */
function refuse(listener: ProcessListener): StartedProcess {
  process.nextTick(() => listener.onEnd({ type: 'lost' }))
  return NOT_STARTED
}

type Helper = {
  readonly start: StartProcess
  readonly isGone: () => boolean
  readonly wasOfUse: () => boolean
  readonly close: () => void
}

function startHelper(): Helper {
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: '/',
    env: environmentOf(),
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  // The helper must not keep this process alive. A caller that waits for a process has a timer that does.
  child.unref()
  child.channel?.unref()
  const listeners = new Map<number, ProcessListener>()
  let isGone = false
  let wasOfUse = false
  let last = 0
  const fail = () => {
    isGone = true
    const abandoned = [...listeners.values()]
    listeners.clear()
    for (const listener of abandoned) listener.onEnd({ type: 'lost' })
  }
  child.on('error', fail)
  child.on('exit', fail)
  child.on('message', (report: SpawnerReport) => {
    wasOfUse = true
    take(listeners, report)
  })
  return {
    start(request, listener) {
      last += 1
      const id = last
      listeners.set(id, listener)
      const started = order(child, id, request)
      return {
        ...started,
        kill() {
          started.kill()
          // A helper that does not even report the end of a killed process is stuck; the next start gets a new one.
          setTimeout(() => listeners.has(id) && child.kill('SIGKILL'), STUCK_AFTER_MS).unref()
        },
      }
    },
    isGone: () => isGone || !child.connected,
    wasOfUse: () => wasOfUse,
    close: () => child.connected && child.disconnect(),
  }
}

function order(child: ChildProcess, id: number, request: ProcessRequest): StartedProcess {
  // If the order can't be sent, the helper's exit reports the process as lost.
  const send = (message: SpawnerOrder) => void (child.connected && child.send(message, () => undefined))
  send({ id, type: 'start', request })
  return {
    write: (bytes) => send({ id, type: 'write', bytes }),
    endInput: () => send({ id, type: 'end-input' }),
    kill: () => send({ id, type: 'kill' }),
    terminate: () => send({ id, type: 'terminate' }),
  }
}

function take(listeners: Map<number, ProcessListener>, report: SpawnerReport): void {
  const listener = listeners.get(report.id)
  if (report.type === 'end') {
    listeners.delete(report.id)
    listener?.onEnd(report.end)
    return
  }
  const chunk = Buffer.from(report.chunk.buffer, report.chunk.byteOffset, report.chunk.byteLength)
  if (report.type === 'stdout') void listener?.onStdout?.(chunk)
  else void listener?.onStderr?.(chunk)
}

/** Uses the daemon's cache of compiled code. */
function environmentOf(): Readonly<Record<string, string>> {
  const cache = getCompileCacheDir()
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }
}
