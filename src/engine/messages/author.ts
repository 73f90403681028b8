import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { AttemptPurpose } from '../../domain/attempt/attempt-purpose.ts'
import { type EventPlace, sessionPlace } from '../../domain/event/event-place.ts'
import type { RunId, SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import { attemptIdOf, rulesOf } from '../../domain/session/session-purpose.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import { findCycleAndTask } from '../sessions/cycle-and-task.ts'

/** A session that sends or reads messages, with its job, its run if it works on a visit, and the place of its events. */
export type Author = {
  readonly session: Session
  readonly job?: Job
  readonly runId?: RunId
  readonly place: EventPlace
}

/** The live session with this id; undefined if it has ended or its purpose takes no messages. */
export async function findAuthor(records: Records, sessionId: SessionId): Promise<Author | undefined> {
  const session = await records.sessions.find(sessionId)
  if (session === undefined || session.state.type === 'terminated' || !rulesOf(session).takesMessages)
    return undefined
  const job = session.jobId === undefined ? undefined : await records.jobs.find(session.jobId)
  const attempt = await findAttempt(records, session)
  const place = await placeIn(records, session, attempt)
  return { session, place, ...withoutUndefined({ job, runId: runIn(attempt) }) }
}

export type VisitPurpose = Extract<AttemptPurpose, { type: 'visit' }>

/** The visit that a session makes. */
export async function findVisitOf(
  records: Pick<Records, 'attempts'>,
  session: Session,
): Promise<VisitPurpose | undefined> {
  return visitIn(await findAttempt(records, session))
}

/** The run that a session works for. */
export async function findRunOf(records: Records, session: Session): Promise<RunId | undefined> {
  return runIn(await findAttempt(records, session))
}

/** Where the events of a session belong: its job, and the cycle and task of its attempt. */
export async function findPlace(records: Records, session: Session): Promise<EventPlace> {
  return await placeIn(records, session, await findAttempt(records, session))
}

async function findAttempt(
  records: Pick<Records, 'attempts'>,
  session: Session,
): Promise<Attempt | undefined> {
  const attemptId = attemptIdOf(session)
  return attemptId === undefined ? undefined : await records.attempts.find(attemptId)
}

function runIn(attempt: Attempt | undefined): RunId | undefined {
  return visitIn(attempt)?.runId
}

function visitIn(attempt: Attempt | undefined): VisitPurpose | undefined {
  return attempt?.purpose.type === 'visit' ? attempt.purpose : undefined
}

async function placeIn(
  records: Records,
  session: Session,
  attempt: Attempt | undefined,
): Promise<EventPlace> {
  const found = attempt === undefined ? undefined : await findCycleAndTask(records, attempt)
  return sessionPlace(session, found?.place)
}
