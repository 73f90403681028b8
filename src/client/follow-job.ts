import { CONNECTED_EVENT, eventSchema, JOB_ENDED_EVENT, type WireEvent } from '../contract/event.ts'
import { badAnswerError } from './api-error.ts'
import type { CallNeeds } from './call-needs.ts'
import { FollowError } from './follow-error.ts'
import { type FollowOptions, followStream, type Reading } from './follow-stream.ts'
import { parseJson } from './read-failure.ts'
import type { ServerEvent } from './read-server-events.ts'

export type FollowJobOptions = FollowOptions & {
  /** Sequence of the last event already seen; absent: from the job's beginning. */
  readonly after?: number | undefined
}

/** A job's events in order, each once, until the job is over. */
export function followJob(
  needs: CallNeeds,
  jobId: string,
  options: FollowJobOptions = {},
): AsyncGenerator<WireEvent, void> {
  const stream = {
    path: `/api/orchestrator/${encodeURIComponent(jobId)}/stream`,
    after: String(options.after ?? 0),
    read: readSequencedEvent(JOB_ENDED_EVENT),
  }
  return followStream(needs, stream, options)
}

/** Reads a stream whose places are the sequences of its events and that ends with a mark of this name. */
export function readSequencedEvent(endMark: string) {
  return (message: ServerEvent, place: string | undefined): Reading<WireEvent> => {
    if (message.event === endMark) return { type: 'end' }
    if (message.event === CONNECTED_EVENT) return { type: 'nothing' }
    const parsed = eventSchema.safeParse(parseJson(message.data))
    if (!parsed.success)
      throw new FollowError(badAnswerError(200, `event ${message.id}: ${parsed.error.message}`))
    if (parsed.data.seq <= Number(place ?? 0)) return { type: 'nothing' }
    return { type: 'item', item: parsed.data, place: String(parsed.data.seq) }
  }
}
