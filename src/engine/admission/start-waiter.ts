import type { Admission, StartRequest } from '../../domain/admission/admit.ts'
import { admittedRole } from '../../domain/admission/admitted-role.ts'
import type { StartLimits } from '../../domain/admission/limit-order.ts'
import type { Waiting } from '../../domain/admission/refusal.ts'
import type { Waiter } from '../../domain/admission/turn.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import { attemptRulesOf, taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { MessageId, SessionId } from '../../domain/id.ts'
import type { Job, JobLimits, JobPlan } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import { askedSessionOf, attemptIdOf, questionOf, rulesOf } from '../../domain/session/session-purpose.ts'
import type { Priority, Task } from '../../domain/task/task.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'

/** A request to start a program, and the row that waits when it is refused. */
export type StartWaiter = Waiter & {
  readonly of:
    | { readonly type: 'session'; readonly session: Session }
    | { readonly type: 'task'; readonly task: Task }
    | { readonly type: 'discovery'; readonly job: Job }
    /** A session that is about to be stored. */
    | { readonly type: 'arrival' }
}

/** The earlier refusal that is stored with the waiter. */
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

/** Whether a waiter is refused for the same reason as before, so there is nothing new to store. */
export function isUnchanged(waiter: StartWaiter, admission: Admission): boolean {
  const before = waitingOf(waiter)
  if (before === undefined || admission.type === 'admitted') return false
  const { limit, alone, until } = admission
  return before.limit === limit && before.alone === alone && before.until === until
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

/** The request of a job's agent in a role, without its cost. */
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
    request: { ...requestInJob(job, ROLE_FOR.discovery, agent), cost: 'reserved' },
  }
}

/** The request for a session of an attempt: a review, a successor after a handoff, or a resumed session. */
export function attemptWaiter(
  job: Job,
  attempt: Pick<Attempt, 'role' | 'admittedAs' | 'purpose' | 'agent' | 'handoffs'>,
  waits: {
    readonly id: string
    readonly priority: Priority
    readonly since: Date
    readonly isResume: boolean
  },
): StartWaiter {
  const predecessor = attempt.handoffs.at(-1)?.from
  const isBegun = waits.isResume || predecessor !== undefined
  const stage = isBegun ? 'continue' : attemptRulesOf(attempt).firstTurn
  return {
    of: { type: 'arrival' },
    turn: { isPersonal: false, priority: waits.priority, stage, since: waits.since, id: waits.id },
    request: {
      ...requestInJob(job, admittedRole(attempt), attempt.agent),
      cost: isBegun ? 'exempt' : 'unreserved',
      ignoresQuota: waits.isResume,
      ...(predecessor === undefined ? {} : { replaces: predecessor }),
    },
  }
}

/** The request of a session that is stored or about to be; undefined when what it belonged to is gone. */
export async function sessionWaiter(
  records: Reader,
  session: Session,
  now: Date,
): Promise<StartWaiter | undefined> {
  const { id, state } = session
  const attemptId = attemptIdOf(session)
  const since = state.type === 'waiting' ? new Date(state.since) : now
  const isResume = 'resume' in state && state.resume !== undefined
  if (attemptId === undefined) return await outsideWaiter(records, session, since, isResume)
  const attempt = await records.attempts.find(attemptId)
  const job = attempt === undefined ? undefined : await records.jobs.find(attempt.jobId)
  if (attempt === undefined || job === undefined) return undefined
  const priority = await priorityOf(records, attempt)
  return {
    ...attemptWaiter(job, attempt, { id, priority, since, isResume }),
    of: { type: 'session', session },
  }
}

/** The priority of the attempt's task; a discovery counts as P1. */
export async function priorityOf(records: Pick<Reader, 'tasks'>, attempt: Attempt): Promise<Priority> {
  const taskId = taskIdOf(attempt)
  const task = taskId === undefined ? undefined : await records.tasks.find(taskId)
  return task?.priority ?? 'P1'
}

/** The request of a session that belongs to no attempt. */
async function outsideWaiter(
  records: Reader,
  session: Session,
  since: Date,
  isResume: boolean,
): Promise<StartWaiter | undefined> {
  const { id, role, jobId, purpose } = session
  const scope = await findScope(records, session)
  if (scope === undefined || !('agent' in purpose)) return undefined
  const question = questionOf(session)
  const isBegun = isResume || rulesOf(session).continuesWork
  // An agent that asks waits for the answer, so the question takes its place.
  const replaces = question === undefined ? undefined : await findAsker(records, question)
  return {
    of: { type: 'session', session },
    turn: {
      isPersonal: question === undefined,
      priority: 'P1',
      stage: isBegun ? 'continue' : 'begin',
      since,
      id,
    },
    request: {
      role,
      agent: purpose.agent,
      ...scope,
      ...withoutUndefined({ jobId, replaces }),
      cost: isBegun ? 'exempt' : 'unreserved',
      ignoresQuota: isResume,
    },
  }
}

type Scope = Pick<StartRequest, 'projectId' | 'limits'>

/** The project and the limits of a session: those of its job, of the session that it asks, or its own. */
async function findScope(records: Reader, session: Session): Promise<Scope | undefined> {
  const { purpose, jobId } = session
  if (jobId !== undefined) {
    const job = await records.jobs.find(jobId)
    return job === undefined ? undefined : { projectId: job.projectId, limits: startLimitsOf(job.plan) }
  }
  if ('projectId' in purpose) {
    const limits = purpose.type === 'personal' ? purpose.limits : undefined
    return { projectId: purpose.projectId, limits: limits ?? {} }
  }
  const askedId = askedSessionOf(session)
  const asked = askedId === undefined ? undefined : await records.sessions.find(askedId)
  return asked === undefined ? undefined : await findScope(records, asked)
}

async function findAsker(records: Reader, question: MessageId): Promise<SessionId | undefined> {
  const sender = (await records.messages.find(question))?.sender
  return sender === 'person' || sender === 'engine' ? undefined : sender
}
