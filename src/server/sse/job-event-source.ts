import { JOB_ENDED_EVENT, type WireJobEnded } from '../../contract/event.ts'
import type { EventType, StoredEvent } from '../../domain/event/event.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobOver } from '../../domain/job/job-state.ts'
import type { Queries } from '../../engine/queries/queries.ts'
import type { EventFeed } from '../../ports/event-feed.ts'
import { eventToWire } from '../render/event-to-wire.ts'
import { reasonOf } from '../render/job-to-wire.ts'
import type { EventSource } from './event-source.ts'
import { createPageReader } from './page-reader.ts'
import { encodeMessage, type SseMessage } from './sse-message.ts'

type Needs = { readonly queries: Queries; readonly feed: Pick<EventFeed, 'read'> }

/** Events after which it is worth asking whether the job is over. */
const LAST_WORDS: ReadonlySet<EventType> = new Set(['job_completed', 'job_cancelled', 'job_error'])

/** A job's events after a place, until the job is over and all of them were given. */
export function createJobEventSource(needs: Needs, found: Job, after: number): EventSource {
  let job = found
  let last = after
  const readPage = createPageReader((limit) => needs.feed.read(found.id, last, limit), toMessage)
  return {
    async next() {
      const page = await readPage()
      last = page.sent.at(-1)?.seq ?? last
      if (page.sent.some((event) => LAST_WORDS.has(event.type))) {
        const current = await needs.queries.findJob(found.id)
        if (current.ok) job = current.value
      }
      const isOver = isJobOver(job.state)
      if (page.sent.length > 0) return { type: 'batch', text: page.text, isMore: page.isMore || isOver }
      return isOver ? { type: 'end', text: encodeMessage(endOf(job)) } : { type: 'nothing' }
    },
  }
}

function toMessage(event: StoredEvent): SseMessage {
  return { id: String(event.seq), event: event.type, data: eventToWire(event) }
}

function endOf(job: Job): SseMessage {
  const reason = reasonOf(job.state)
  const data: WireJobEnded = {
    jobId: job.id,
    status: job.state.type,
    ...(reason === undefined ? {} : { reason }),
  }
  return { event: JOB_ENDED_EVENT, data }
}
