import { type Id, type IdKind, type JobId, parseId, type SessionId } from '../domain/id.ts'
import type { Job } from '../domain/job/job.ts'
import { failure, type Result, success } from '../domain/result.ts'
import type { Session } from '../domain/session/session.ts'
import type { Store } from '../ports/store/store.ts'

type Needs = { readonly store: Store }

export type JobNotFound = { readonly type: 'job-not-found'; readonly jobId: string }
export type NotFound = { readonly type: 'not-found'; readonly what: string; readonly id: string }

/** The job that text from outside names, if it names one. */
export async function findJob(needs: Needs, text: string): Promise<Result<Job, JobNotFound>> {
  const id = parseJobId(text)
  if (!id.ok) return id
  const job = await needs.store.read.jobs.find(id.value)
  return job === undefined ? failure({ type: 'job-not-found', jobId: text }) : success(job)
}

/** Text that is no job's id is a job that does not exist. */
export function parseJobId(text: string): Result<JobId, JobNotFound> {
  const id = parseId('job', text)
  return id === undefined ? failure({ type: 'job-not-found', jobId: text }) : success(id)
}

export type SessionNotFound = { readonly type: 'session-not-found'; readonly sessionId: string }

/** The session that text from outside names, if it names one. */
export async function findSession(needs: Needs, text: string): Promise<Result<Session, SessionNotFound>> {
  const id = parseSessionId(text)
  if (!id.ok) return id
  const session = await needs.store.read.sessions.find(id.value)
  return session === undefined ? failure({ type: 'session-not-found', sessionId: text }) : success(session)
}

/** Text that is no session's id is a session that does not exist. */
export function parseSessionId(text: string): Result<SessionId, SessionNotFound> {
  const id = parseId('session', text)
  return id === undefined ? failure({ type: 'session-not-found', sessionId: text }) : success(id)
}

/** Any other record that text from outside names. */
export async function findRecord<Kind extends IdKind, Found>(
  kind: Kind,
  text: string,
  find: (id: Id<Kind>) => Promise<Found | undefined>,
): Promise<Result<Found, NotFound>> {
  const id = parseId(kind, text)
  const found = id === undefined ? undefined : await find(id)
  return found === undefined ? failure({ type: 'not-found', what: kind, id: text }) : success(found)
}
