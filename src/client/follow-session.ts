import { SESSION_OVER_EVENT, type WireEvent } from '../contract/event.ts'
import type { CallNeeds } from './call-needs.ts'
import { readSequencedEvent } from './follow-job.ts'
import { type FollowOptions, followStream } from './follow-stream.ts'

export type FollowSessionOptions = FollowOptions & {
  /** Sequence of the last event already seen; absent: from the session's beginning. */
  readonly after?: number | undefined
}

/** A session's events in order, each once, until the session is over. */
export function followSession(
  needs: CallNeeds,
  sessionId: string,
  options: FollowSessionOptions = {},
): AsyncGenerator<WireEvent, void> {
  const stream = {
    path: `/api/sessions/${encodeURIComponent(sessionId)}/stream`,
    after: String(options.after ?? 0),
    read: readSequencedEvent(SESSION_OVER_EVENT),
  }
  return followStream(needs, stream, options)
}
