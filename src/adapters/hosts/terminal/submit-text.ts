import { setTimeout as sleep } from 'node:timers/promises'
import type { HostId } from '../../../ports/session-host.ts'
import type { TerminalHost } from '../../../ports/terminal-host.ts'
import { pasteable } from './bracketed-paste.ts'
import { waitUntil } from './wait-until.ts'

/** How long a program gets to show the text. Some programs never show what is typed. */
const ECHO_PATIENCE_MS = 1_000
const LOOK_MS = 50
/** Programs that recognise a paste by its speed take an Enter within about a tenth of a second for a part of it. */
const ENTER_PAUSE_MS = 300

type Typing = Pick<TerminalHost, 'screen'> & {
  readonly type: (hostId: HostId, text: string, isPasted: boolean) => Promise<void>
}

/** Pastes a text and presses Enter once the program has had time to read the text. */
export async function submitText(typing: Typing, hostId: HostId, text: string): Promise<void> {
  const screen = async () => {
    const shown = await typing.screen(hostId)
    return shown.ok ? shown.value : undefined
  }
  const before = await screen()
  await typing.type(hostId, pasteable(text), true)
  const inspect = async () => ((await screen()) === before ? undefined : true)
  await waitUntil({ timeoutMs: ECHO_PATIENCE_MS, intervalMs: LOOK_MS, inspect })
  await sleep(ENTER_PAUSE_MS)
  await typing.type(hostId, '\r', false)
}
