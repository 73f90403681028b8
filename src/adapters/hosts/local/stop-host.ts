import { writeFile } from 'node:fs/promises'
import { forbidStart } from './forbid-start.ts'
import type { HostFiles } from './host-files.ts'
import { isHeld } from './look-at-host.ts'
import { type HostRecord, readPidFile } from './pid-file.ts'
import type { ProcessTable } from './process-table.ts'
import { waitForChange } from './wait-for-change.ts'

type Needs = { readonly processes: ProcessTable }

const LOOK_INTERVAL_MS = 20
const CLAIM_TIMEOUT_MS = 2_000
/** A host whose program is gone has this long to write down how it ended. */
const LINGER_MS = 3_000
/** A killed process is gone when the kernel lets go of it; longer than this is a sick machine. */
const KILL_TIMEOUT_MS = 30_000

/** Asks the program to end, waits, then insists. Resolves when nothing of the session is left. */
export async function stopHost(needs: Needs, files: HostFiles, graceMs: number): Promise<void> {
  await forbidStart(files)
  const wait = { directory: files.directory, intervalMs: LOOK_INTERVAL_MS }
  // A host that was about to write who it is could not be forbidden, and is not yet to be found.
  await waitForChange({ ...wait, timeoutMs: CLAIM_TIMEOUT_MS, look: () => isSettled(files) })

  let isAsked = false
  const asked = async () => {
    const record = await findHeld(needs, files)
    if (record === undefined) return true
    if (!isAsked) isAsked = await ask(needs, record)
    return undefined
  }
  if (await waitForChange({ ...wait, timeoutMs: graceMs, look: asked })) return

  const insistedAt = Date.now()
  // Told to the host first: what held the program may fail rather than tell by which signal it died.
  await writeFile(files.why, 'signalled 9\n', { mode: 0o600 })
  const insisted = async () => {
    const record = await findHeld(needs, files)
    if (record === undefined) return true
    await insist(needs, record, Date.now() - insistedAt > LINGER_MS)
    return undefined
  }
  if (await waitForChange({ ...wait, timeoutMs: KILL_TIMEOUT_MS, look: insisted })) return
  throw new Error(`processes of the session in ${files.directory} are still there after SIGKILL`)
}

async function isSettled(files: HostFiles): Promise<true | undefined> {
  return (await readPidFile(files.pid)).type === 'unfinished' ? undefined : true
}

async function findHeld(needs: Needs, files: HostFiles): Promise<HostRecord | undefined> {
  const record = await readPidFile(files.pid)
  return record.type === 'claimed' && (await isHeld(needs, record)) ? record : undefined
}

/** Whether the program's group could be asked; not yet, while it is only on its way to be one. */
async function ask(needs: Needs, record: HostRecord): Promise<boolean> {
  const leader = await findProgram(needs, record)
  return leader !== undefined && signal(-leader, 'SIGTERM')
}

async function insist(needs: Needs, record: HostRecord, isLate: boolean): Promise<void> {
  const { holder, host } = record
  if (holder === undefined || !(await needs.processes.isAlive(holder))) {
    // What it held is gone, and a host that still has not said so will not.
    if (isLate && (await needs.processes.isAlive(host))) signal(host.pid, 'SIGKILL')
    return
  }
  if (record.containment === 'process-group') {
    const leader = await findProgram(needs, record)
    if (leader !== undefined) signal(-leader, 'SIGKILL')
    return
  }
  // The namespace's first process rather than its holder: the holder then ends only after all others are gone.
  const [init] = await needs.processes.childrenOf(holder.pid)
  signal(init ?? holder.pid, 'SIGKILL')
}

/** The pid of the program, which leads a process group of its own. */
async function findProgram(needs: Needs, record: HostRecord): Promise<number | undefined> {
  const { holder, program } = record
  if (program !== undefined) return (await needs.processes.isAlive(program)) ? program.pid : undefined
  if (holder === undefined || record.containment === 'process-group') return undefined
  if (!(await needs.processes.isAlive(holder))) return undefined
  const [init] = await needs.processes.childrenOf(holder.pid)
  // The first child of a namespace's first process is the program; orphans it adopts come after.
  return init === undefined ? undefined : (await needs.processes.childrenOf(init))[0]
}

/** Whether there was such a process or group. */
function signal(target: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(target, name)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}
