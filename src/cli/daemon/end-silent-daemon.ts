import { failure, type Result, success } from '../../domain/result.ts'
import { readDaemonFile } from '../../home/daemon-file.ts'
import { watchDirectory } from '../../home/directory-changes.ts'
import { isProvenProcess, isSameProcess } from '../../home/process-identity.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'

/** How long a daemon that doesn't answer gets to stop after SIGTERM. One that hangs never does. */
export const TERM_LIMIT_MS = 15_000
/** The kernel ends a killed process at once, unless it waits for a disk. */
const KILL_LIMIT_MS = 5_000
const RETRY_MS = 100

/**
 * Ends the daemon of a home that doesn't answer: with SIGTERM, and then with SIGKILL. Contract: a signal is sent only to
 * the process that registered itself in the home, identified by PID and start time.
 */
export async function endSilentDaemon(
  home: string,
  termLimitMs: number = TERM_LIMIT_MS,
): Promise<Result<void, Problem>> {
  const registered = await readDaemonFile(home)
  if (registered === undefined) return success(undefined)
  const { pid, startTime } = registered
  const steps = [
    ['SIGTERM', termLimitMs],
    ['SIGKILL', KILL_LIMIT_MS],
  ] as const
  for (const [signal, limitMs] of steps) {
    if (!(await isSameProcess(pid, startTime))) return success(undefined)
    if (!(await isProvenProcess(pid, startTime))) return failure(unproven(pid))
    const problem = sendSignal(pid, signal)
    if (problem !== undefined) return failure(unended(pid, problem))
    await untilGone(home, limitMs, pid, startTime)
  }
  return (await isSameProcess(pid, startTime))
    ? failure(unended(pid, 'it is still there after SIGKILL, which usually means that it waits for a disk'))
    : success(undefined)
}

function sendSignal(pid: number, signal: NodeJS.Signals): string | undefined {
  try {
    process.kill(pid, signal)
    return undefined
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // It has exited in the meantime, which is all that was wanted.
    if (code === 'ESRCH') return undefined
    return code === 'EPERM' ? 'it belongs to another user' : message
  }
}

async function untilGone(
  home: string,
  limitMs: number,
  pid: number,
  startTime: string | undefined,
): Promise<void> {
  using changes = watchDirectory(home)
  const deadline = Date.now() + limitMs
  while (Date.now() < deadline && (await isSameProcess(pid, startTime))) await changes.next(RETRY_MS)
}

function unproven(pid: number): Problem {
  return {
    type: 'daemon-unproven',
    exitCode: EXIT.unreachable,
    message: `process ${pid} doesn't answer, and may not be the daemon, so it was not ended`,
    why: 'this system does not tell when a process started, and the PID may belong to another program by now',
    next: `ps -p ${pid}; if it is the daemon: kill -9 ${pid}`,
  }
}

function unended(pid: number, why: string): Problem {
  return {
    type: 'daemon-lingers',
    exitCode: EXIT.failed,
    message: `the daemon (process ${pid}) does not answer and could not be ended`,
    why,
    next: `kill -9 ${pid}`,
  }
}
