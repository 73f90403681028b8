import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import type { TerminalKind, TerminalSight, TerminalStarted } from '../../../ports/terminal-host.ts'
import { readIfPresent } from './read-if-present.ts'
import type { TerminalFiles } from './terminal-files.ts'
import type { ProcessIdentity } from './terminal-needs.ts'

/** What is known of a terminal's processes; a line of its file counts only with its end. */
export type TerminalRecord =
  | { readonly type: 'unclaimed' }
  /** Closed before anything ran on it: nothing ever will. */
  | { readonly type: 'forbidden' }
  | ClaimedTerminal

export type ClaimedTerminal = {
  readonly type: 'claimed'
  readonly containment: Containment
  readonly kind: TerminalKind
  /** Leads the terminal's session. */
  readonly host: ProcessIdentity
  /** What ends only after the program. */
  readonly holder?: ProcessIdentity
}

export const FORBIDDEN_LINE = 'forbidden\n'

const CONTAINMENTS: readonly string[] = [
  'bubblewrap',
  'pid-namespace',
  'process-group',
] satisfies Containment[]

export async function readRecord(files: TerminalFiles): Promise<TerminalRecord> {
  const text = await readIfPresent(files.pid)
  return text === undefined ? { type: 'unclaimed' } : parseRecord(text)
}

export function parseRecord(text: string): TerminalRecord {
  const lines = text.split('\n').slice(0, -1)
  if (lines[0] === FORBIDDEN_LINE.trimEnd()) return { type: 'forbidden' }
  const [, , , containment, kind] = lines[0]?.split(' ') ?? []
  const host = findProcess(lines, 'host')
  // Being written, or its writer died in that moment: no program was started yet.
  if (host === undefined || !isContainment(containment)) return { type: 'unclaimed' }
  const holder = findProcess(lines, 'holder')
  return {
    type: 'claimed',
    containment,
    kind: kind === 'tmux' ? 'tmux' : 'pty',
    host,
    ...(holder === undefined ? {} : { holder }),
  }
}

export function startedOf(record: ClaimedTerminal): TerminalStarted {
  return { ...record.host, containment: record.containment, kind: record.kind }
}

/** How the program ended, once that was left. */
export async function readExit(files: TerminalFiles): Promise<TerminalSight | undefined> {
  const text = await readIfPresent(files.exit)
  return text === undefined ? undefined : parseExit(text)
}

export function parseExit(text: string): TerminalSight | undefined {
  if (!text.endsWith('\n')) return undefined
  const [word, statusText] = text.trimEnd().split(' ')
  const status = Number(statusText)
  if (!Number.isInteger(status)) return { type: 'lost', reason: 'its exit status cannot be read' }
  if (status > 128) return { type: 'signalled', signal: status - 128 }
  if (word === 'ended') return { type: 'exited', code: status }
  // A namespace whose first process is killed has nobody left to say so, and unshare only fails.
  return { type: 'signalled', signal: 9 }
}

function isContainment(text: string | undefined): text is Containment {
  return text !== undefined && CONTAINMENTS.includes(text)
}

function findProcess(lines: readonly string[], role: string): ProcessIdentity | undefined {
  const [, pidText, startTime] = lines.find((line) => line.startsWith(`${role} `))?.split(' ') ?? []
  const pid = Number(pidText)
  // A pid below 2 would, as a signal's target, mean far more than one process.
  if (startTime === undefined || !Number.isInteger(pid) || pid < 2) return undefined
  return { pid, startTime }
}
