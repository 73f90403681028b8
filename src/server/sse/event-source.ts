import {
  JOB_ENDED_EVENT,
  SESSION_FINISHED_EVENT,
  type WireJobEnded,
  type WireSessionFinished,
} from '../../contract/event.ts'
import { type EventType, streamOf } from '../../domain/event/event.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { endingOf } from '../../domain/session/ending.ts'
import type { Session } from '../../domain/session/session.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Queries } from '../../engine/queries/queries.ts'
import type { EncodedEvent, EventFeed, FeedCursor } from '../../ports/event-feed.ts'
import { encodeEvent } from '../render/event-to-wire.ts'
import { reasonOf } from '../render/job-to-wire.ts'
import { createPageReader } from './page-reader.ts'
import { encodeMessage, type SseMessage } from './sse-message.ts'

/** What a stream sends next. */
export type Portion =
  | { readonly type: 'batch'; readonly text: string; readonly isMore: boolean }
  | { readonly type: 'nothing' }
  /** The last message of a stream that has ended. */
  | { readonly type: 'end'; readonly text: string }

/** Returns a stream's messages in order and once each, in portions that fit into one write. */
export type EventSource = {
  next(): Promise<Portion>
}

type Needs = { readonly queries: Queries; readonly feed: Pick<EventFeed, 'readEncoded'> }

/** The events of all jobs after a position, without an end. */
export function createFeedEventSource(feed: EventFeed, after: FeedCursor | undefined): EventSource {
  let last = after
  const readPage = createPageReader(
    (limit) => feed.readAll(last, limit),
    (event) => ({ id: event.cursor, event: event.type, json: encodeEvent(event) }),
  )
  return {
    async next() {
      const page = await readPage()
      last = page.sent.at(-1)?.cursor ?? last
      if (page.sent.length === 0) return { type: 'nothing' }
      return { type: 'batch', text: page.text, isMore: page.isMore }
    },
  }
}

/**
 * A job's events after a position, until the job and all its sessions have ended and all their events were sent. The
 * sessions of a cancelled job end after the job itself.
 */
export function createJobEventSource({ queries, feed }: Needs, job: Job, after: number): EventSource {
  return createFiniteSource({
    after,
    owner: job,
    read: (last, limit) => feed.readEncoded(job.id, last, limit),
    finalEvents: ['job_completed', 'job_cancelled', 'job_error', 'job_deleted'],
    reload: () => queries.findJob(job.id),
    async endOf(current) {
      const end = endOfJob(current)
      return end === undefined || (await queries.hasLiveWork(job.id)) ? undefined : end
    },
  })
}

/** A session's events after a position, until the session has ended and all its events were sent. */
export function createSessionEventSource(
  { queries, feed }: Needs,
  session: Session,
  after: number,
): EventSource {
  const { id: sessionId, jobId } = session
  const stream = streamOf(withoutUndefined({ jobId, sessionId }))
  return createFiniteSource({
    after,
    owner: session,
    read: (last, limit) => feed.readEncoded(stream, last, limit, { sessionId }),
    finalEvents: ['session_ended'],
    reload: () => queries.findSession(sessionId),
    endOf: async (current) => endOfSession(current),
  })
}

type FiniteStream<Owner> = {
  readonly after: number
  /** The job or the session whose events these are. */
  readonly owner: Owner
  read(last: number, limit: number): Promise<readonly EncodedEvent[]>
  /** Events after which the owner may have ended. */
  readonly finalEvents: readonly EventType[]
  reload(): Promise<{ readonly ok: true; readonly value: Owner } | { readonly ok: false }>
  /** The stream's last message; undefined while the owner has not ended. */
  endOf(owner: Owner): Promise<SseMessage | undefined>
}

function createFiniteSource<Owner>(stream: FiniteStream<Owner>): EventSource {
  let { owner, after: last } = stream
  const readPage = createPageReader(
    (limit) => stream.read(last, limit),
    (event) => ({ id: String(event.seq), event: event.type, json: encodeEvent(event) }),
  )
  let end: SseMessage | undefined
  let isGone = false
  const inspect = async (sent: readonly EncodedEvent[]) => {
    // The events of a deleted job don't come any more, not even the last one.
    if (sent.length === 0 || sent.some((event) => stream.finalEvents.includes(event.type))) {
      const current = await stream.reload()
      if (current.ok) owner = current.value
      isGone = !current.ok
    }
    return await stream.endOf(owner)
  }
  const next = async (): Promise<Portion> => {
    const page = await readPage()
    last = page.sent.at(-1)?.seq ?? last
    const isEmpty = page.sent.length === 0
    // Only a page that was read after the end was known shows that nothing is left to send.
    if (isEmpty && end !== undefined) return { type: 'end', text: encodeMessage(end) }
    end = await inspect(page.sent)
    // A client that reconnects gets `job-not-found`.
    if (isEmpty && isGone) return { type: 'end', text: '' }
    if (!isEmpty)
      return { type: 'batch', text: page.text, isMore: page.isMore || end !== undefined || isGone }
    return end === undefined ? { type: 'nothing' } : await next()
  }
  return { next }
}

function endOfJob({ id: jobId, state }: Job): SseMessage | undefined {
  if (!isJobFinished(state)) return undefined
  const data: WireJobEnded = withoutUndefined({ jobId, status: state.type, reason: reasonOf(state) })
  return { event: JOB_ENDED_EVENT, json: JSON.stringify(data) }
}

function endOfSession({ id: sessionId, state, conversation }: Session): SseMessage | undefined {
  if (state.type !== 'terminated') return undefined
  const { end } = state
  const data: WireSessionFinished = {
    sessionId,
    end,
    ending: endingOf(end, conversation.dialogue !== undefined),
  }
  return { event: SESSION_FINISHED_EVENT, json: JSON.stringify(data) }
}
