import { join } from 'node:path'
import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import type { TerminalKind, TerminalSnapshot, TerminalStarted } from '../../../ports/terminal-host.ts'
import {
  findContainment,
  findProcess,
  isForbidden,
  pidFileLines,
  type RecordedProcesses,
} from '../shared/process-record.ts'
import { readIfPresent } from '../shared/read-if-present.ts'

/** The paths of a terminal's files. */
export type TerminalFiles = {
  readonly directory: string
  readonly pid: string
  readonly exit: string
  /** The last screen of a program that has ended. */
  readonly screen: string
}

/** A terminal's processes. A line of the PID file counts only when it is complete. */
export type TerminalRecord =
  | { readonly type: 'unclaimed' }
  /** Closed before anything ran on it. Nothing ever will. */
  | { readonly type: 'forbidden' }
  | ClaimedTerminal

export type ClaimedTerminal = RecordedProcesses & {
  readonly type: 'claimed'
  readonly containment: Containment
  readonly kind: TerminalKind
}

export function terminalFiles(directory: string): TerminalFiles {
  return {
    directory,
    pid: join(directory, 'pid'),
    exit: join(directory, 'exit'),
    screen: join(directory, 'screen'),
  }
}

export async function readRecord(files: TerminalFiles): Promise<TerminalRecord> {
  const text = await readIfPresent(files.pid)
  return text === undefined ? { type: 'unclaimed' } : parseRecord(text)
}

function parseRecord(text: string): TerminalRecord {
  const lines = pidFileLines(text)
  if (isForbidden(lines)) return { type: 'forbidden' }
  const host = findProcess(lines, 'host')
  const containment = findContainment(lines)
  // The line is still being written, or its writer died at that moment. The program was not started yet.
  if (host === undefined || containment === undefined) return { type: 'unclaimed' }
  const holder = findProcess(lines, 'holder')
  return {
    type: 'claimed',
    containment,
    kind: lines[0]?.endsWith(' tmux') ? 'tmux' : 'pty',
    host,
    ...(holder === undefined ? {} : { holder }),
  }
}

export function startedOf(record: ClaimedTerminal): TerminalStarted {
  return { ...record.host, containment: record.containment, kind: record.kind }
}

/** How the program ended. Undefined until the exit file is complete. */
export async function readExit(files: TerminalFiles): Promise<TerminalSnapshot | undefined> {
  const text = await readIfPresent(files.exit)
  return text === undefined ? undefined : parseExit(text)
}

function parseExit(text: string): TerminalSnapshot | undefined {
  if (!text.endsWith('\n')) return undefined
  const [word, statusText] = text.trimEnd().split(' ')
  const status = Number(statusText)
  if (!Number.isInteger(status)) return { type: 'lost', reason: 'the exit status cannot be read' }
  if (status > 128) return { type: 'signalled', signal: status - 128 }
  if (word === 'ended') return { type: 'exited', code: status }
  // If the first process of a namespace is killed, no one is left to report that, and unshare only fails.
  return { type: 'signalled', signal: 9 }
}
