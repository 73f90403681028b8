import { type FSWatcher, watch } from 'node:fs'
import type { TerminalSnapshot } from '../../../ports/terminal-host.ts'
import { isAlive } from '../shared/process-record.ts'
import type { TerminalNeeds } from './terminal-needs.ts'
import {
  type ClaimedTerminal,
  readExit,
  readRecord,
  startedOf,
  type TerminalFiles,
} from './terminal-record.ts'

type Needs = Pick<TerminalNeeds, 'processes'>

/** How often to look for an end that leaves no file, such as when the terminal and its program were killed. */
const LOOK_MS = 2_000

export async function inspectTerminal(needs: Needs, files: TerminalFiles): Promise<TerminalSnapshot> {
  const ended = await readExit(files)
  if (ended !== undefined) return ended

  const record = await readRecord(files)
  if (record.type === 'forbidden') return { type: 'lost', reason: 'closed before it was opened' }
  if (record.type === 'unclaimed') return { type: 'absent' }
  if (await isAlive(needs.processes, record)) return { type: 'running', ...startedOf(record) }

  // The terminal may have left its status and ended since the exit file was read above.
  return (await readExit(files)) ?? { type: 'lost', reason: reasonOfLoss(needs, record) }
}

/** Reports a terminal's end: at once if it leaves an exit file, otherwise at the next slow look. */
export function watchTerminal(
  files: TerminalFiles,
  inspect: () => Promise<TerminalSnapshot>,
  onChange: () => void,
): Disposable {
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(files.directory, { persistent: false }, onChange)
    watcher.on('error', () => undefined)
  } catch {
    // The directory doesn't exist yet, or the system is out of watches. The slow look finds the end too.
  }
  const timer = setInterval(() => {
    inspect()
      .then((snapshot) => {
        if (snapshot.type !== 'running') onChange()
      })
      .catch(onChange)
  }, LOOK_MS).unref()
  return {
    [Symbol.dispose]() {
      watcher?.close()
      clearInterval(timer)
    },
  }
}

function reasonOfLoss(needs: Needs, record: ClaimedTerminal): string {
  if (needs.processes.isFromEarlierBoot(record.host)) return 'the machine was restarted'
  return record.kind === 'pty'
    ? 'the terminal belonged to the daemon and ended with it; if tmux is installed, terminals outlive the daemon'
    : 'the terminal ended without leaving an exit status'
}
