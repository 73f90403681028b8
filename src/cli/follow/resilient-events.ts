import type { ApiError, FollowJobOptions, WireEvent } from '../../client/index.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'

type Needs = { readonly link: DaemonLink; readonly say: (line: string) => void }
type OpenOptions = Pick<FollowJobOptions, 'signal' | 'onInterrupt'>

/**
 * Follows events across restarts of the daemon, without a gap or a repeat. Ends when the signal fires, when the events
 * end, or when no daemon can be found; the link then has the problem.
 */
export async function* resilientEvents<Event>(
  needs: Needs,
  open: (options: OpenOptions) => AsyncIterable<Event>,
  signal: AbortSignal,
): AsyncGenerator<Event, void> {
  const gaveUp = new AbortController()
  const onInterrupt = (error: ApiError) => {
    if (needs.link.problem() !== undefined) return gaveUp.abort()
    // A daemon that answers with an error is running, so the client just asks again.
    if (error.status === 0) needs.link.lost(needs.say)
  }
  yield* open({ signal: AbortSignal.any([signal, gaveUp.signal]), onInterrupt })
}

/** Follows one session from its start, or after event number `after`. */
export function sessionEvents(
  needs: Needs,
  sessionId: string,
  signal: AbortSignal,
  after = 0,
): AsyncGenerator<WireEvent, void> {
  const open = (options: OpenOptions) => needs.link.client.followSession(sessionId, { ...options, after })
  return resilientEvents(needs, open, signal)
}

/** Follows one job from its start, or after event number `after`. */
export function jobEvents(
  needs: Needs,
  jobId: string,
  signal: AbortSignal,
  after = 0,
): AsyncGenerator<WireEvent, void> {
  const open = (options: OpenOptions) => needs.link.client.follow(jobId, { ...options, after })
  return resilientEvents(needs, open, signal)
}
