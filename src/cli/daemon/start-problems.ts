import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import type { DaemonEnd, SpawnedDaemon } from './spawn-daemon.ts'

const SHOWN_LOG_LINES = 20
const LOG_WINDOW_BYTES = 16_384

/** Nothing is known to be wrong with a daemon that was killed, so it can be started again. */
export const DAEMON_KILLED = 'daemon-killed'

/** The daemon exited instead of answering. */
export async function daemonEnded(spawned: SpawnedDaemon, end: DaemonEnd): Promise<Problem> {
  const type = end.type === 'signalled' ? DAEMON_KILLED : 'daemon-unstartable'
  return unreachable(type, `the daemon could not be started: it ${endWords(end)}`, spawned)
}

/** No daemon answered in time. */
export async function daemonSilent(
  spawned: SpawnedDaemon,
  limitMs: number,
  found: string | undefined,
): Promise<Problem> {
  const message = `the daemon did not become ready within ${Math.round(limitMs / 1000)} s`
  return unreachable('daemon-silent', found === undefined ? message : `${message}: ${found}`, spawned)
}

/** A daemon is running and doesn't answer. No other one can start beside it. */
export async function daemonHangs(
  home: string,
  { pid, problem }: { readonly pid: number; readonly problem: string },
  limitMs: number,
): Promise<Problem> {
  const started = await changedAt(join(home, 'daemon.json'))
  const wrote = await changedAt(join(home, 'logs', 'daemon.log'))
  return {
    type: 'daemon-hangs',
    exitCode: EXIT.unreachable,
    message: `the daemon (process ${pid}) is running, but has not answered for ${Math.round(limitMs / 1000)} s`,
    why: [
      problem,
      ...(started === undefined ? [] : [`it has been running since ${started}`]),
      ...(wrote === undefined ? [] : [`it last wrote to its log at ${wrote}`]),
    ].join('; '),
    next: `muster shutdown, which also ends a daemon that does not answer; if that fails, kill -9 ${pid}`,
  }
}

/** Undefined if the file isn't there. */
async function changedAt(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.mtime.toISOString()
}

export function tokenRefused(home: string, problem: string): Problem {
  return {
    type: 'token-refused',
    exitCode: EXIT.notPermitted,
    message: `the daemon of ${home} does not accept the token in that home`,
    why: problem,
    next: 'muster shutdown, or kill the daemon; the next command starts a new one',
  }
}

async function unreachable(type: string, message: string, spawned: SpawnedDaemon): Promise<Problem> {
  const log = await logTail(spawned.logPath, spawned.logOffset)
  const why = log.length === 0 ? `it wrote nothing to ${spawned.logPath}` : log.join('\n')
  return { type, exitCode: EXIT.unreachable, message, why, next: 'muster doctor' }
}

/** The last lines that the daemon wrote to its log after `offset`. */
async function logTail(path: string, offset: number): Promise<readonly string[]> {
  const file = await open(path, 'r').catch(() => undefined)
  // Without its log, the problem is reported without details.
  if (file === undefined) return []
  try {
    const { size } = await file.stat()
    const start = Math.max(offset, size - LOG_WINDOW_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOG_WINDOW_BYTES), 0, LOG_WINDOW_BYTES, start)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    return lines.filter((line) => line.trim() !== '').slice(-SHOWN_LOG_LINES)
  } finally {
    await file.close()
  }
}

function endWords(end: DaemonEnd): string {
  if (end.type === 'exited') return `exited with code ${end.code}`
  if (end.type === 'signalled') return `was killed by ${end.signal}`
  return `could not be run (${end.problem})`
}
