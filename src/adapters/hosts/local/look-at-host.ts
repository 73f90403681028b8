import type { HostSight, HostStarted } from '../../../ports/session-host.ts'
import { readExitFile } from './exit-file.ts'
import type { HostFiles } from './host-files.ts'
import { type HostRecord, readPidFile } from './pid-file.ts'
import type { ProcessTable } from './process-table.ts'

type Needs = { readonly processes: ProcessTable }

export async function lookAtHost(needs: Needs, files: HostFiles): Promise<HostSight> {
  const ended = await readExitFile(files.exit)
  if (ended !== undefined) return ended

  const record = await readPidFile(files.pid)
  if (record.type === 'forbidden') return { type: 'lost', reason: 'stopped before it was started' }
  if (record.type !== 'claimed') return { type: 'absent' }
  if (await isHeld(needs, record)) return { type: 'running', ...startedOf(record) }

  // The host leaves its status and ends: between the first read and the look at it, it may have done both.
  return (await readExitFile(files.exit)) ?? { type: 'lost', reason: reasonOfLoss(needs, record) }
}

/** Whether something of the session can still be alive. */
export async function isHeld(needs: Needs, record: HostRecord): Promise<boolean> {
  if (await needs.processes.isAlive(record.host)) return true
  return record.holder !== undefined && (await needs.processes.isAlive(record.holder))
}

export function startedOf(record: HostRecord): HostStarted {
  return { ...record.host, containment: record.containment }
}

function reasonOfLoss(needs: Needs, record: HostRecord): string {
  return needs.processes.isFromEarlierBoot(record.host)
    ? 'the machine was restarted'
    : 'the host ended without leaving an exit status'
}
