import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import {
  findContainment,
  findProcess,
  isForbidden,
  pidFileLines,
  type RecordedProcesses,
} from '../shared/process-record.ts'
import type { ProcessIdentity } from '../shared/process-table.ts'
import { readIfPresent } from '../shared/read-if-present.ts'

/**
 * A session's processes. The host that won the session creates the file and adds a line for each process. A line counts
 * only when it is complete.
 */
export type PidRecord =
  | { readonly type: 'unclaimed' }
  /** The file exists without its first line: the host is still writing it, or died at that moment. */
  | { readonly type: 'unfinished' }
  /** Stopped before it had a host. No host will ever start its program. */
  | { readonly type: 'forbidden' }
  | HostRecord

export type HostRecord = RecordedProcesses & {
  readonly type: 'claimed'
  readonly containment: Containment
  /** The leader of the program's process group. Known only with containment `process-group`. */
  readonly program?: ProcessIdentity
}

export async function readPidFile(path: string): Promise<PidRecord> {
  const text = await readIfPresent(path)
  return text === undefined ? { type: 'unclaimed' } : parsePidFile(text)
}

export function parsePidFile(text: string): PidRecord {
  const lines = pidFileLines(text)
  if (isForbidden(lines)) return { type: 'forbidden' }

  const host = findProcess(lines, 'host')
  if (host === undefined) return { type: 'unfinished' }
  const holder = findProcess(lines, 'holder')
  const program = findProcess(lines, 'program')
  return {
    type: 'claimed',
    containment: findContainment(lines) ?? 'process-group',
    host,
    ...(holder === undefined ? {} : { holder }),
    ...(program === undefined ? {} : { program }),
  }
}
