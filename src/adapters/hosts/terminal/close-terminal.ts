import { forbidOpen } from './forbid-open.ts'
import { isHeld } from './look-at-terminal.ts'
import { type SessionMember, sessionMembers } from './session-members.ts'
import type { TerminalFiles } from './terminal-files.ts'
import type { TerminalNeeds } from './terminal-needs.ts'
import { type ClaimedTerminal, readRecord } from './terminal-record.ts'
import { waitUntil } from './wait-until.ts'

type Needs = Pick<TerminalNeeds, 'processes'>

const LOOK_INTERVAL_MS = 20
/** Interactive shells do not hear the first, only what a closed terminal says. */
const ASKING = ['SIGTERM', 'SIGHUP'] as const
/** How long the script may take to leave the status of a program that was killed. */
const LAST_WORD_MS = 2_000
/** A killed process is gone when the kernel lets go of it; longer than this is a sick machine. */
const KILL_TIMEOUT_MS = 30_000

/** Asks what is on the terminal to end, waits, then insists. Resolves when nothing of it is left. */
export async function closeTerminal(needs: Needs, files: TerminalFiles, graceMs: number): Promise<void> {
  await forbidOpen(files)
  const record = await readRecord(files)
  if (record.type !== 'claimed') return

  const intervalMs = LOOK_INTERVAL_MS
  const halfGrace = { intervalMs, timeoutMs: graceMs / 2 }
  for (const name of ASKING) {
    let isAsked = false
    const asked = async () => {
      if (await isOver(needs, files)) return true
      if (!isAsked) isAsked = await ask(needs, record, name)
      return undefined
    }
    if (await waitUntil({ ...halfGrace, look: asked })) return
  }

  const insistedSince = performance.now()
  const insisted = async () => {
    if (await isOver(needs, files)) return true
    await insist(needs, files, performance.now() - insistedSince > LAST_WORD_MS)
    return undefined
  }
  if (await waitUntil({ intervalMs, timeoutMs: KILL_TIMEOUT_MS, look: insisted })) return
  throw new Error(`processes of the terminal in ${files.directory} are still there after SIGKILL`)
}

async function isOver(needs: Needs, files: TerminalFiles): Promise<boolean> {
  const record = await readRecord(files)
  if (record.type !== 'claimed') return true
  if (await isHeld(needs, record)) return false
  // The session is all there is to hold by: a background job may live on after the script.
  return record.containment !== 'process-group' || (await programsOf(needs, record)).length === 0
}

/** Whether there was somebody to ask; not yet, while the program is only on its way. */
async function ask(needs: Needs, record: ClaimedTerminal, name: NodeJS.Signals): Promise<boolean> {
  const members = await programsOf(needs, record)
  for (const { pid } of members) signal(pid, name)
  return members.length > 0
}

/** What runs on the terminal apart from the script and the holder, which share the leader's group. */
async function programsOf(needs: Needs, record: ClaimedTerminal): Promise<readonly SessionMember[]> {
  if (needs.processes.isFromEarlierBoot(record.host)) return []
  const leader = record.host.pid
  const members = await sessionMembers(leader)
  // A pid is not used again while a session goes by it: if a stranger has it, nothing of ours is left.
  const isTaken = members.some(({ pid }) => pid === leader) && !(await needs.processes.isAlive(record.host))
  return isTaken ? [] : members.filter(({ group }) => group !== leader)
}

async function insist(needs: Needs, files: TerminalFiles, isOverdue: boolean): Promise<void> {
  const record = await readRecord(files)
  if (record.type !== 'claimed') return
  const { host, holder } = record
  if (record.containment === 'process-group') {
    for (const { pid } of await programsOf(needs, record)) signal(pid, 'SIGKILL')
  } else if (holder !== undefined && (await needs.processes.isAlive(holder))) {
    // The namespace's first process rather than its holder: the holder then ends only after all others are gone.
    const [init] = await needs.processes.childrenOf(holder.pid)
    signal(init ?? holder.pid, 'SIGKILL')
  }
  if (isOverdue && (await needs.processes.isAlive(host))) signal(host.pid, 'SIGKILL')
}

/** What has ended meanwhile needs no signal. */
function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
