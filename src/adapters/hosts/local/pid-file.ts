import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import type { ProcessIdentity } from './process-table.ts'
import { readIfPresent } from './read-if-present.ts'

/**
 * What is known of a session's processes. The file is made by the one host that won the session and grows by
 * a line for each process; a line counts only with its end.
 */
export type PidRecord =
  | { readonly type: 'unclaimed' }
  /** The file is there without its first line: being written, or its writer died in that moment. */
  | { readonly type: 'unfinished' }
  /** Stopped before any host had it: none will ever start its program. */
  | { readonly type: 'forbidden' }
  | HostRecord

export type HostRecord = {
  readonly type: 'claimed'
  readonly containment: Containment
  readonly host: ProcessIdentity
  /** What ends only after the program. */
  readonly holder?: ProcessIdentity
  /** Leads the program's process group; known here in containment `process-group` alone. */
  readonly program?: ProcessIdentity
}

const CONTAINMENTS: readonly Containment[] = ['bubblewrap', 'pid-namespace', 'process-group']

export const FORBIDDEN_LINE = 'forbidden\n'

export async function readPidFile(path: string): Promise<PidRecord> {
  const text = await readIfPresent(path)
  return text === undefined ? { type: 'unclaimed' } : parsePidFile(text)
}

export function parsePidFile(text: string): PidRecord {
  const lines = text.split('\n').slice(0, -1)
  if (lines[0] === FORBIDDEN_LINE.trimEnd()) return { type: 'forbidden' }

  const host = findProcess(lines, 'host')
  if (host === undefined) return { type: 'unfinished' }
  const holder = findProcess(lines, 'holder')
  const program = findProcess(lines, 'program')
  return {
    type: 'claimed',
    containment: CONTAINMENTS.find((name) => lines[0]?.endsWith(` ${name}`)) ?? 'process-group',
    host,
    ...(holder === undefined ? {} : { holder }),
    ...(program === undefined ? {} : { program }),
  }
}

function findProcess(lines: readonly string[], role: string): ProcessIdentity | undefined {
  const [, pidText, startTime] = lines.find((line) => line.startsWith(`${role} `))?.split(' ') ?? []
  const pid = Number(pidText)
  // A pid below 2 would, as a signal's target, mean far more than one process.
  if (startTime === undefined || !Number.isInteger(pid) || pid < 2) return undefined
  return { pid, startTime }
}
