import { type EventPlace, sessionPlace } from '../../domain/event/event-place.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import { attemptIdOf, rulesOf } from '../../domain/session/session-purpose.ts'
import type { Records } from '../../ports/store/store.ts'
import { findCycleAndTask } from '../sessions/cycle-and-task.ts'

/** A session that sends or reads messages, with its job and the place of its events. */
export type Author = { readonly session: Session; readonly job?: Job; readonly place: EventPlace }

/** The live session with this id; undefined if it has ended or its purpose takes no messages. */
export async function findAuthor(records: Records, sessionId: SessionId): Promise<Author | undefined> {
  const session = await records.sessions.find(sessionId)
  if (session === undefined || session.state.type === 'terminated' || !rulesOf(session).takesMessages)
    return undefined
  const job = session.jobId === undefined ? undefined : await records.jobs.find(session.jobId)
  const place = await findPlace(records, session)
  return { session, place, ...(job === undefined ? {} : { job }) }
}

/** Where the events of a session belong: its job, and the cycle and task of its attempt. */
export async function findPlace(records: Records, session: Session): Promise<EventPlace> {
  const attemptId = attemptIdOf(session)
  const attempt = attemptId === undefined ? undefined : await records.attempts.find(attemptId)
  const found = attempt === undefined ? undefined : await findCycleAndTask(records, attempt)
  return sessionPlace(session, found?.place)
}
