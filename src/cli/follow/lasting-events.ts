import type { ApiError, FollowJobOptions } from '../../client/index.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'

type Needs = { readonly link: DaemonLink; readonly say: (line: string) => void }
type OpenOptions = Pick<FollowJobOptions, 'signal' | 'onInterrupt'>

/**
 * Events over the lives of several daemons, without a gap or a repeat. Ends when the signal fires, when they
 * are over, or when no daemon can be found again; then the link has the problem.
 */
export async function* lastingEvents<Event>(
  needs: Needs,
  open: (options: OpenOptions) => AsyncIterable<Event>,
  signal: AbortSignal,
): AsyncGenerator<Event, void> {
  const gaveUp = new AbortController()
  const onInterrupt = (error: ApiError) => {
    if (needs.link.problem() !== undefined) return gaveUp.abort()
    // A daemon that answers with an error of its own is there, and is asked again.
    if (error.status === 0) needs.link.lost(needs.say)
  }
  yield* open({ signal: AbortSignal.any([signal, gaveUp.signal]), onInterrupt })
}
