import { type StoredEvent, streamOf } from '../../domain/event/event.ts'
import type { StreamId } from '../../domain/id.ts'
import { type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { EventFeed, EventFilter } from '../../ports/event-feed.ts'
import { findJob, findSession, type JobNotFound, type Reads, type SessionNotFound } from './find-record.ts'

type Needs = Reads & { readonly feed: Pick<EventFeed, 'read' | 'tail'> }

/** The last `tail` events, or up to `limit` of those that follow `after`. */
type EventRange = {
  readonly after?: number | undefined
  readonly limit: number
  readonly tail?: number | undefined
}

export type JobEventsInput = EventRange & {
  readonly job: string
  readonly task?: string | undefined
  readonly session?: string | undefined
}

export type SessionEventsInput = EventRange & { readonly session: string }

/** A job's events, oldest first. */
export async function listJobEvents(
  needs: Needs,
  { job: jobText, task: taskId, session: sessionId, ...range }: JobEventsInput,
): Promise<Result<readonly StoredEvent[], JobNotFound>> {
  const job = await findJob(needs, jobText)
  if (!job.ok) return job
  return success(await readRange(needs, job.value.id, range, withoutUndefined({ taskId, sessionId })))
}

/** A session's events, oldest first. */
export async function listSessionEvents(
  needs: Needs,
  { session: sessionText, ...range }: SessionEventsInput,
): Promise<Result<readonly StoredEvent[], SessionNotFound>> {
  const session = await findSession(needs, sessionText)
  if (!session.ok) return session
  const { id: sessionId, jobId } = session.value
  const stream = streamOf(withoutUndefined({ sessionId, jobId }))
  return success(await readRange(needs, stream, range, { sessionId }))
}

function readRange(
  { feed }: Needs,
  stream: StreamId,
  { after = 0, limit, tail }: EventRange,
  filter: EventFilter,
): Promise<readonly StoredEvent[]> {
  return tail === undefined ? feed.read(stream, after, limit, filter) : feed.tail(stream, tail, filter)
}
