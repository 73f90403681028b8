import type { WireEvent } from '../../contract/event.ts'
import type { WireTurnOutcome } from '../../contract/turn-outcome.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import type { Outcome } from '../problem.ts'
import { lastingEvents } from './lasting-events.ts'
import { sayEvent } from './say-event.ts'
import { createTaskNames } from './task-names.ts'
import { watchEvents } from './watch-events.ts'

// What a session without quota does next is stored a moment after its turn.
const REST_LIMIT_MS = 3000

/** Shows what a session says from its beginning until its first turn, or all of it, is over. */
export async function followTurn(
  needs: CommandNeeds & { readonly link: DaemonLink },
  sessionId: string,
): Promise<Outcome> {
  const { link, output } = needs
  const names = createTaskNames(link.client)
  const answered = new AbortController()
  using resting = new DisposableStack()
  // Awaited here, because the timer is given up when this function returns.
  return await watchEvents(
    needs,
    (signal) =>
      lastingEvents(
        { link, say: output.note },
        (options) => link.client.followSession(sessionId, options),
        AbortSignal.any([signal, answered.signal]),
      ),
    async (event) => {
      await sayEvent(needs, names, event)
      const turn = turnIn(event)
      if (turn?.type === 'limited') {
        const timer = setTimeout(() => answered.abort(), REST_LIMIT_MS)
        resting.defer(() => clearTimeout(timer))
      } else if (turn !== undefined || event.type === 'session_suspended') answered.abort()
    },
  )
}

/** How a turn ended, if this event is its end. */
function turnIn(event: WireEvent): WireTurnOutcome | undefined {
  if (event.type !== 'agent_message') return undefined
  return event.data.type === 'turn-end' ? event.data.outcome : undefined
}
