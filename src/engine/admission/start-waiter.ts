import type { Admission, StartRequest } from '../../domain/admission/admit.ts'
import type { Waiting } from '../../domain/admission/refusal.ts'
import type { StartLimits } from '../../domain/admission/start-limits.ts'
import type { Waiter } from '../../domain/admission/turn.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { ProjectId, SessionId } from '../../domain/id.ts'
import type { Job, JobLimits, JobPlan } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import { attemptIdOf } from '../../domain/session/session-purpose.ts'
import type { Priority, Task } from '../../domain/task/task.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'

/** A request to start a program, and the row that waits when it is refused. */
export type StartWaiter = Waiter & {
  readonly of:
    | { readonly type: 'session'; readonly session: Session }
    | { readonly type: 'task'; readonly task: Task; readonly agent: AgentSpec }
    | { readonly type: 'discovery'; readonly job: Job }
    /** A session that is about to be stored. */
    | { readonly type: 'arrival' }
}

/** What is stored of an earlier refusal. */
export function waitingOf({ of }: StartWaiter): Waiting | undefined {
  switch (of.type) {
    case 'session':
      return of.session.state.type === 'waiting' ? of.session.state : undefined
    case 'task':
      return of.task.state.type === 'pending' ? of.task.state.waiting : undefined
    case 'discovery':
      return of.job.state.type === 'running' ? of.job.state.waiting : undefined
    case 'arrival':
      return undefined
  }
}

/** Whether a waiter is refused as it was before, so that there is nothing new to store. */
export function isUnchanged(waiter: StartWaiter, admission: Admission): boolean {
  const before = waitingOf(waiter)
  if (before === undefined || admission.type === 'admitted') return false
  return before.limit === admission.limit && before.until === admission.until
}

type Reader = Pick<Records, 'jobs' | 'tasks' | 'attempts' | 'sessions' | 'messages'>

type LimitSource = Pick<JobPlan, 'roles' | 'roleLimits'> & {
  readonly limits: Pick<JobLimits, 'projectParallel' | 'modelParallel' | 'memoryFloorMb' | 'dailyUsd'>
}

/** The limits of a job's plan, or of a configuration. */
export function startLimitsOf({ roles, roleLimits, limits }: LimitSource): StartLimits {
  const { projectParallel, modelParallel, memoryFloorMb, dailyUsd } = limits
  return withoutUndefined({
    roles,
    roleParallel: roleLimits,
    projectParallel,
    modelParallel,
    memoryFloorMb,
    dailyUsd,
  })
}

/** What a job's agent asks for in a role. */
export function requestInJob(job: Job, role: string, agent: AgentSpec): Omit<StartRequest, 'cost'> {
  return { role, agent, projectId: job.projectId, jobId: job.id, limits: startLimitsOf(job.plan) }
}

export function discoveryWaiter(job: Job, agent: AgentSpec, now: Date): StartWaiter {
  const since = job.state.type === 'running' ? job.state.waiting?.since : undefined
  return {
    of: { type: 'discovery', job },
    turn: {
      isPersonal: false,
      priority: 'P1',
      stage: 'begin',
      since: since === undefined ? now : new Date(since),
      id: job.id,
    },
    request: { ...requestInJob(job, 'planner', agent), cost: 'reserved' },
  }
}

/** Asks for a session of an attempt that has its row already, or is about to: a review, a successor, a resume. */
export function attemptWaiter(
  job: Job,
  attempt: Pick<Attempt, 'id' | 'role' | 'purpose' | 'agent' | 'handoffs'>,
  waits: {
    readonly id: string
    readonly priority: Priority
    readonly since: Date
    readonly isResume: boolean
  },
): StartWaiter {
  const predecessor = attempt.handoffs.at(-1)?.from
  const isBegun = waits.isResume || predecessor !== undefined
  const stage = isBegun ? 'continue' : attempt.purpose.type === 'review' ? 'review' : 'begin'
  return {
    of: { type: 'arrival' },
    turn: { isPersonal: false, priority: waits.priority, stage, since: waits.since, id: waits.id },
    request: {
      ...requestInJob(job, attempt.role, attempt.agent),
      attemptId: attempt.id,
      cost: isBegun ? 'exempt' : 'unreserved',
      ignoresQuota: waits.isResume,
      ...(predecessor === undefined ? {} : { replaces: predecessor }),
    },
  }
}

/** The request of a session that has its row, or is about to; undefined when what it belonged to is gone. */
export async function sessionWaiter(
  records: Reader,
  session: Session,
  now: Date,
): Promise<StartWaiter | undefined> {
  const { state } = session
  const attemptId = attemptIdOf(session)
  const since = state.type === 'waiting' ? new Date(state.since) : now
  const isResume = 'resume' in state && state.resume !== undefined
  if (attemptId === undefined) {
    const place = await placeOutside(records, session)
    return place === undefined ? undefined : outsideWaiter(session, place, since, isResume)
  }
  const attempt = await records.attempts.find(attemptId)
  const job = attempt === undefined ? undefined : await records.jobs.find(attempt.jobId)
  if (attempt === undefined || job === undefined) return undefined
  const priority = await priorityOf(records, attempt)
  return {
    ...attemptWaiter(job, attempt, { id: session.id, priority, since, isResume }),
    of: { type: 'session', session },
  }
}

/** That of its task; a discovery counts as P1. */
export async function priorityOf(records: Pick<Reader, 'tasks'>, attempt: Attempt): Promise<Priority> {
  const taskId = taskIdOf(attempt)
  const task = taskId === undefined ? undefined : await records.tasks.find(taskId)
  return task?.priority ?? 'P1'
}

type Place = {
  readonly agent: AgentSpec
  readonly projectId: ProjectId | undefined
  readonly limits: StartLimits
  readonly asker?: SessionId
}

/** Where a session outside of attempts belongs, and the limits it was opened with. */
async function placeOutside(records: Reader, { purpose, jobId }: Session): Promise<Place | undefined> {
  if (purpose.type === 'personal') {
    return { agent: purpose.agent, projectId: purpose.projectId, limits: purpose.limits ?? {} }
  }
  if (purpose.type !== 'query') return undefined
  const question = purpose.replyTo === undefined ? undefined : await records.messages.find(purpose.replyTo)
  const asker =
    question === undefined || question.sender === 'person' || question.sender === 'engine'
      ? {}
      : { asker: question.sender }
  if (jobId !== undefined) {
    const job = await records.jobs.find(jobId)
    if (job === undefined) return undefined
    return { agent: purpose.agent, projectId: job.projectId, limits: startLimitsOf(job.plan), ...asker }
  }
  const asked = await records.sessions.find(purpose.of)
  const place = asked === undefined ? undefined : await placeOutside(records, asked)
  return place === undefined ? undefined : { ...place, agent: purpose.agent, ...asker }
}

/** An agent that asks waits for the answer, so the question takes its place. */
function outsideWaiter(session: Session, place: Place, since: Date, isResume: boolean): StartWaiter {
  const { id, role, jobId, purpose } = session
  const isQuestion = purpose.type === 'query'
  return {
    of: { type: 'session', session },
    turn: {
      isPersonal: !isQuestion || purpose.replyTo === undefined,
      priority: 'P1',
      stage: isQuestion || isResume ? 'continue' : 'begin',
      since,
      id,
    },
    request: {
      role,
      agent: place.agent,
      projectId: place.projectId,
      ...(jobId === undefined ? {} : { jobId }),
      limits: place.limits,
      cost: isQuestion || isResume ? 'exempt' : 'unreserved',
      ignoresQuota: isResume,
      ...(place.asker === undefined ? {} : { replaces: place.asker }),
    },
  }
}
