import { writeFile } from 'node:fs/promises'
import { forbidStart, isAlive, killNamespace, sendSignal } from '../shared/process-record.ts'
import type { ProcessTable } from '../shared/process-table.ts'
import { regainAccess } from './damaged-host.ts'
import type { HostFiles } from './host-files.ts'
import { type HostRecord, readPidFile } from './pid-file.ts'
import { waitForChange } from './wait-for-change.ts'

type Needs = { readonly processes: ProcessTable }

const LOOK_INTERVAL_MS = 20
const CLAIM_TIMEOUT_MS = 2_000
/** How long a host may take to write the exit file after its program has ended. */
const LINGER_MS = 3_000
/** The kernel removes a killed process sooner than this, unless something is wrong with the machine. */
const KILL_TIMEOUT_MS = 30_000

/**
 * Asks the program to end, waits for the grace period (`SESSION_LIMITS.stopGraceMs` unless the caller has a reason),
 * and then kills it. Resolves when no process is left.
 */
export async function stopHost(needs: Needs, files: HostFiles, graceMs: number): Promise<void> {
  await regainAccess(files.directory)
  await forbidStart(files)
  const wait = { directory: files.directory, intervalMs: LOOK_INTERVAL_MS }
  // A host that has created its PID file but not yet written to it can be neither forbidden nor found.
  await waitForChange({ ...wait, timeoutMs: CLAIM_TIMEOUT_MS, inspect: () => isSettled(files) })

  let isAsked = false
  const asked = async () => {
    const record = await findContained(needs, files)
    if (record === undefined) return true
    if (!isAsked) isAsked = await ask(needs, record)
    return undefined
  }
  if (await waitForChange({ ...wait, timeoutMs: graceMs, inspect: asked })) return

  const insistedAt = Date.now()
  // Written for the host first, because the holder may fail instead of reporting the signal.
  await writeFile(files.why, 'signalled 9\n', { mode: 0o600 })
  const insisted = async () => {
    const record = await findContained(needs, files)
    if (record === undefined) return true
    await insist(needs, record, Date.now() - insistedAt > LINGER_MS)
    return undefined
  }
  if (await waitForChange({ ...wait, timeoutMs: KILL_TIMEOUT_MS, inspect: insisted })) return
  throw new Error(`processes of the session in ${files.directory} are still alive after SIGKILL`)
}

async function isSettled(files: HostFiles): Promise<true | undefined> {
  return (await readPidFile(files.pid)).type === 'unfinished' ? undefined : true
}

async function findContained(needs: Needs, files: HostFiles): Promise<HostRecord | undefined> {
  const record = await readPidFile(files.pid)
  return record.type === 'claimed' && (await isAlive(needs.processes, record)) ? record : undefined
}

/** False while the program's process group doesn't exist yet. */
async function ask(needs: Needs, record: HostRecord): Promise<boolean> {
  const leader = await findProgram(needs, record)
  return leader !== undefined && sendSignal(-leader, 'SIGTERM')
}

async function insist(needs: Needs, record: HostRecord, isLate: boolean): Promise<void> {
  const { holder, host } = record
  if (holder === undefined || !(await needs.processes.isAlive(holder))) {
    // The program is gone. A host that still hasn't written the exit file never will.
    if (isLate && (await needs.processes.isAlive(host))) sendSignal(host.pid, 'SIGKILL')
    return
  }
  if (record.containment === 'process-group') {
    const leader = await findProgram(needs, record)
    if (leader !== undefined) sendSignal(-leader, 'SIGKILL')
    return
  }
  await killNamespace(needs.processes, holder)
}

/** The PID of the program, which leads its own process group. */
async function findProgram(needs: Needs, record: HostRecord): Promise<number | undefined> {
  const { holder, program } = record
  if (program !== undefined) return (await needs.processes.isAlive(program)) ? program.pid : undefined
  if (holder === undefined || record.containment === 'process-group') return undefined
  if (!(await needs.processes.isAlive(holder))) return undefined
  const [init] = await needs.processes.childrenOf(holder.pid)
  // The first child of the namespace's init is the program. Orphans that init adopts come later.
  return init === undefined ? undefined : (await needs.processes.childrenOf(init))[0]
}
