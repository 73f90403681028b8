import type { TerminalSight } from '../../../ports/terminal-host.ts'
import type { TerminalFiles } from './terminal-files.ts'
import type { TerminalNeeds } from './terminal-needs.ts'
import { type ClaimedTerminal, readExit, readRecord, startedOf } from './terminal-record.ts'

type Needs = Pick<TerminalNeeds, 'processes'>

export async function lookAtTerminal(needs: Needs, files: TerminalFiles): Promise<TerminalSight> {
  const ended = await readExit(files)
  if (ended !== undefined) return ended

  const record = await readRecord(files)
  if (record.type === 'forbidden') return { type: 'lost', reason: 'closed before it was opened' }
  if (record.type === 'unclaimed') return { type: 'absent' }
  if (await isHeld(needs, record)) return { type: 'running', ...startedOf(record) }

  // Its status is left just before it ends: between the first read and the look, it may have done both.
  return (await readExit(files)) ?? { type: 'lost', reason: reasonOfLoss(needs, record) }
}

/** Whether something of the terminal can still be alive. */
export async function isHeld(needs: Needs, record: ClaimedTerminal): Promise<boolean> {
  if (await needs.processes.isAlive(record.host)) return true
  return record.holder !== undefined && (await needs.processes.isAlive(record.holder))
}

function reasonOfLoss(needs: Needs, record: ClaimedTerminal): string {
  if (needs.processes.isFromEarlierBoot(record.host)) return 'the machine was restarted'
  return record.kind === 'pty'
    ? 'its terminal belonged to the daemon and ended with it; with tmux installed terminals outlive the daemon'
    : 'its terminal ended without leaving an exit status'
}
