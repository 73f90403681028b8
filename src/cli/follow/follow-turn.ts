import type { WireEvent } from '../../contract/event.ts'
import type { WireTurnOutcome } from '../../contract/session-end.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import type { Outcome } from '../problem.ts'
import { sessionEvents } from './resilient-events.ts'
import { createTranscript } from './transcript.ts'
import { watchEvents } from './watch-events.ts'

// A session that runs out of quota is suspended a moment after its turn ends.
const SUSPENSION_WAIT_MS = 3000

/** Prints what a session says from its start until its first turn, or the session, ends. */
export async function followTurn(
  needs: CommandNeeds & { readonly link: DaemonLink },
  sessionId: string,
): Promise<Outcome> {
  const { link, output } = needs
  const transcript = createTranscript(needs, link.client)
  const answered = new AbortController()
  using timers = new DisposableStack()
  // Awaited here, because the timer is disposed when this function returns.
  return await watchEvents(
    needs,
    (signal) =>
      sessionEvents({ link, say: output.note }, sessionId, AbortSignal.any([signal, answered.signal])),
    async (event) => {
      await transcript.print(event)
      const turn = turnIn(event)
      if (turn?.type === 'limited' || turn?.type === 'unready') {
        const timer = setTimeout(() => answered.abort(), SUSPENSION_WAIT_MS)
        timers.defer(() => clearTimeout(timer))
      } else if (turn !== undefined || event.type === 'session_suspended') answered.abort()
    },
  )
}

/** How the turn ended, if this event is the end of a turn. */
function turnIn(event: WireEvent): WireTurnOutcome | undefined {
  if (event.type !== 'agent_message') return undefined
  return event.data.type === 'turn-end' ? event.data.outcome : undefined
}
