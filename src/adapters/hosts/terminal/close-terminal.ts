import { readdir } from 'node:fs/promises'
import { forbidStart, isAlive, killNamespace, sendSignal } from '../shared/process-record.ts'
import { readIfPresent } from '../shared/read-if-present.ts'
import type { TerminalNeeds } from './terminal-needs.ts'
import { type ClaimedTerminal, readRecord, type TerminalFiles } from './terminal-record.ts'
import { waitUntil } from './wait-until.ts'

type Needs = Pick<TerminalNeeds, 'processes'>

/** A living process of a terminal's session. */
type SessionMember = { readonly pid: number; readonly group: number }

const LOOK_INTERVAL_MS = 20
/** Interactive shells ignore SIGTERM, but not the SIGHUP of a closed terminal. */
const ASKING = ['SIGTERM', 'SIGHUP'] as const
/** How long the script may take to leave the status of a killed program. */
const LINGER_MS = 2_000
/** The kernel removes a killed process sooner than this, unless something is wrong with the machine. */
const KILL_TIMEOUT_MS = 30_000

/** Asks the programs on the terminal to end, waits, and then kills them. Resolves when no process is left. */
export async function closeTerminal(needs: Needs, files: TerminalFiles, graceMs: number): Promise<void> {
  await forbidStart(files)
  const record = await readRecord(files)
  if (record.type !== 'claimed') return

  const intervalMs = LOOK_INTERVAL_MS
  const halfGrace = { intervalMs, timeoutMs: graceMs / 2 }
  for (const name of ASKING) {
    let isAsked = false
    const asked = async () => {
      if (await isFinished(needs, files)) return true
      if (!isAsked) isAsked = await ask(needs, record, name)
      return undefined
    }
    if (await waitUntil({ ...halfGrace, inspect: asked })) return
  }

  const insistedSince = performance.now()
  const insisted = async () => {
    if (await isFinished(needs, files)) return true
    await insist(needs, files, performance.now() - insistedSince > LINGER_MS)
    return undefined
  }
  if (await waitUntil({ intervalMs, timeoutMs: KILL_TIMEOUT_MS, inspect: insisted })) return
  throw new Error(`processes of the terminal in ${files.directory} are still alive after SIGKILL`)
}

async function isFinished(needs: Needs, files: TerminalFiles): Promise<boolean> {
  const record = await readRecord(files)
  if (record.type !== 'claimed') return true
  if (await isAlive(needs.processes, record)) return false
  // A process group contains nothing: a background job may outlive the script.
  return record.containment !== 'process-group' || (await programsOf(needs, record)).length === 0
}

/** False while the program has not started yet. */
async function ask(needs: Needs, record: ClaimedTerminal, name: NodeJS.Signals): Promise<boolean> {
  const members = await programsOf(needs, record)
  for (const { pid } of members) sendSignal(pid, name)
  return members.length > 0
}

/** The processes on the terminal without the script and the holder, which are in the leader's group. */
async function programsOf(needs: Needs, record: ClaimedTerminal): Promise<readonly SessionMember[]> {
  if (needs.processes.isFromEarlierBoot(record.host)) return []
  const leader = record.host.pid
  const members = await sessionMembers(leader)
  // The kernel doesn't reuse a PID while a session has that id. If another process has it, the session is gone.
  const isTaken = members.some(({ pid }) => pid === leader) && !(await needs.processes.isAlive(record.host))
  return isTaken ? [] : members.filter(({ group }) => group !== leader)
}

async function insist(needs: Needs, files: TerminalFiles, isOverdue: boolean): Promise<void> {
  const record = await readRecord(files)
  if (record.type !== 'claimed') return
  const { host, holder } = record
  if (record.containment === 'process-group') {
    for (const { pid } of await programsOf(needs, record)) sendSignal(pid, 'SIGKILL')
  } else if (holder !== undefined && (await needs.processes.isAlive(holder))) {
    await killNamespace(needs.processes, holder)
  }
  if (isOverdue && (await needs.processes.isAlive(host))) sendSignal(host.pid, 'SIGKILL')
}

/** The processes in the session that `leader` leads or led. Empty on systems without /proc. */
async function sessionMembers(leader: number): Promise<readonly SessionMember[]> {
  const names = await readdir('/proc').catch(() => [])
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readMember))
  return found
    .filter((member) => member !== undefined)
    .filter((member) => member.session === leader && !member.isGone)
    .map(({ pid, group }) => ({ pid, group }))
}

async function readMember(name: string) {
  const stat = await readIfPresent(`/proc/${name}/stat`)
  if (stat === undefined) return undefined
  // The name in parentheses may contain spaces and parentheses.
  const [state, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const isGone = state === 'Z' || state === 'X'
  return { pid: Number(name), group: Number(group), session: Number(session), isGone }
}
