import { mkdir, writeFile } from 'node:fs/promises'
import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import { systemErrorCode } from '../../../domain/system-error.ts'
import type { ProcessIdentity, ProcessTable } from './process-table.ts'

/** The processes of a session or a terminal, as far as its PID file names them. */
export type RecordedProcesses = {
  /** The host of a session, or the leader of a terminal's session. */
  readonly host: ProcessIdentity
  /** The process that contains the program and ends after it. */
  readonly holder?: ProcessIdentity
}

const FORBIDDEN = 'forbidden'
const CONTAINMENTS: readonly Containment[] = ['bubblewrap', 'pid-namespace', 'process-group']

/** The complete lines of a PID file. The last line may be incomplete. */
export function pidFileLines(text: string): readonly string[] {
  return text.split('\n').slice(0, -1)
}

export function isForbidden([first]: readonly string[]): boolean {
  return first === FORBIDDEN
}

/** The containment on the first line, which is "host <pid> <start time> <containment>". */
export function findContainment([first]: readonly string[]): Containment | undefined {
  const word = first?.split(' ')[3]
  return CONTAINMENTS.find((containment) => containment === word)
}

export function findProcess(lines: readonly string[], role: string): ProcessIdentity | undefined {
  const [, pidText, startTime] = lines.find((line) => line.startsWith(`${role} `))?.split(' ') ?? []
  const pid = Number(pidText)
  // As the target of a signal, a PID below 2 would mean many processes.
  if (startTime === undefined || !Number.isInteger(pid) || pid < 2) return undefined
  return { pid, startTime }
}

/**
 * Creates the PID file in the place of a host, so that a host that is still starting runs nothing. Has no effect if a
 * host was faster. Also creates the directory, because the start may be about to do so.
 */
export async function forbidStart(files: {
  readonly directory: string
  readonly pid: string
}): Promise<void> {
  await mkdir(files.directory, { recursive: true, mode: 0o700 })
  try {
    await writeFile(files.pid, `${FORBIDDEN}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
  }
}

/** Whether any of the processes may still be alive. */
export async function isAlive(processes: ProcessTable, record: RecordedProcesses): Promise<boolean> {
  if (await processes.isAlive(record.host)) return true
  return record.holder !== undefined && (await processes.isAlive(record.holder))
}

/**
 * Kills everything in the namespace that `holder` made. Kills the namespace's first process rather than the holder,
 * because the holder then ends only after all others are gone.
 */
export async function killNamespace(processes: ProcessTable, holder: ProcessIdentity): Promise<void> {
  const [init] = await processes.childrenOf(holder.pid)
  sendSignal(init ?? holder.pid, 'SIGKILL')
}

/** False if there is no such process or process group. */
export function sendSignal(target: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(target, name)
  } catch (error) {
    if (systemErrorCode(error) === 'ESRCH') return false
    throw error
  }
}
