import type { HostSnapshot, HostStarted } from '../../../ports/session-host.ts'
import { isAlive } from '../shared/process-record.ts'
import type { ProcessTable } from '../shared/process-table.ts'
import { readIfPresent } from '../shared/read-if-present.ts'
import type { HostFiles } from './host-files.ts'
import { type HostRecord, readPidFile } from './pid-file.ts'

type Needs = { readonly processes: ProcessTable }

/** Why a host ended a session, by the word that it leaves in the exit file. */
const REASONS: Readonly<Record<string, string>> = {
  away: 'the session had no daemon for too long, so its host ended it',
  memory: 'the session used more memory than allowed, so the host ended it',
  processes: 'the session had more processes and threads than allowed, so the host ended it',
}

export async function inspectHost(needs: Needs, files: HostFiles): Promise<HostSnapshot> {
  const ended = await readExitFile(files.exit)
  if (ended !== undefined) return ended

  const record = await readPidFile(files.pid)
  if (record.type === 'forbidden') return { type: 'lost', reason: 'stopped before it was started' }
  if (record.type !== 'claimed') return { type: 'absent' }
  if (await isAlive(needs.processes, record)) return { type: 'running', ...startedOf(record) }

  // The host may have written the exit file and ended since the file was read above.
  return (await readExitFile(files.exit)) ?? { type: 'lost', reason: reasonOfLoss(needs, record) }
}

export function startedOf(record: HostRecord): HostStarted {
  return { ...record.host, containment: record.containment }
}

async function readExitFile(path: string): Promise<HostSnapshot | undefined> {
  const text = await readIfPresent(path)
  return text === undefined ? undefined : parseExitFile(text)
}

/** How the program ended. Undefined while the host is still writing the line. */
export function parseExitFile(text: string): HostSnapshot | undefined {
  if (!text.endsWith('\n')) return undefined
  const [word = '', numberText] = text.trimEnd().split(' ')
  const number = Number(numberText)
  if (word === 'exited') return { type: 'exited', code: number }
  if (word === 'signalled') return { type: 'signalled', signal: number }
  const reason = REASONS[word] ?? `the host ended before the program was started (status ${numberText})`
  return { type: 'lost', reason }
}

function reasonOfLoss(needs: Needs, record: HostRecord): string {
  return needs.processes.isFromEarlierBoot(record.host)
    ? 'the machine was restarted'
    : 'the host ended without leaving an exit status'
}
