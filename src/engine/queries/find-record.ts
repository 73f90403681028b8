import {
  type ApprovalId,
  type Id,
  type IdKind,
  type JobId,
  parseId,
  type RunId,
  type SessionId,
} from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Store } from '../../ports/store/store.ts'

/** Queries only read. */
export type Reads = { readonly store: Pick<Store, 'read'> }

export type JobNotFound = { readonly type: 'job-not-found'; readonly jobId: string }
export type SessionNotFound = { readonly type: 'session-not-found'; readonly sessionId: string }
export type ApprovalNotFound = { readonly type: 'approval-not-found'; readonly approvalId: string }
export type NotFound = {
  readonly type: 'not-found'
  readonly what: string
  readonly id: string
  /** The job that was searched, if only one was. */
  readonly jobId?: JobId
}

/** Text that is not a job's id names a job that does not exist. */
export function parseJobId(text: string): Result<JobId, JobNotFound> {
  const id = parseId('job', text)
  return id === undefined ? failure({ type: 'job-not-found', jobId: text }) : success(id)
}

export function parseSessionId(text: string): Result<SessionId, SessionNotFound> {
  const id = parseId('session', text)
  return id === undefined ? failure({ type: 'session-not-found', sessionId: text }) : success(id)
}

export function parseRunId(text: string): Result<RunId, NotFound> {
  const id = parseId('run', text)
  return id === undefined ? failure({ type: 'not-found', what: 'run', id: text }) : success(id)
}

export function parseApprovalId(text: string): Result<ApprovalId, ApprovalNotFound> {
  const id = parseId('approval', text)
  return id === undefined ? failure({ type: 'approval-not-found', approvalId: text }) : success(id)
}

export async function findJob(needs: Reads, text: string): Promise<Result<Job, JobNotFound>> {
  const id = parseJobId(text)
  const job = id.ok ? await needs.store.read.jobs.find(id.value) : undefined
  return job === undefined ? failure({ type: 'job-not-found', jobId: text }) : success(job)
}

export async function findSession(needs: Reads, text: string): Promise<Result<Session, SessionNotFound>> {
  const id = parseSessionId(text)
  const session = id.ok ? await needs.store.read.sessions.find(id.value) : undefined
  return session === undefined ? failure({ type: 'session-not-found', sessionId: text }) : success(session)
}

/** The job that a filter names; success without one when the filter names none. */
export async function findNamedJob(
  needs: Reads,
  text: string | undefined,
): Promise<Result<Job | undefined, JobNotFound>> {
  return text === undefined ? success(undefined) : await findJob(needs, text)
}

/** A record of any other kind. */
export async function findRecord<Kind extends IdKind, Found>(
  kind: Kind,
  text: string,
  find: (id: Id<Kind>) => Promise<Found | undefined>,
): Promise<Result<Found, NotFound>> {
  const id = parseId(kind, text)
  const found = id === undefined ? undefined : await find(id)
  return found === undefined ? failure({ type: 'not-found', what: kind, id: text }) : success(found)
}
