import { type BusyTask, modelOf, type Occupant, type Usage } from '../../domain/admission/admit.ts'
import { admittedRole } from '../../domain/admission/admitted-role.ts'

import { keepPlace, keptUntil } from '../../domain/admission/keep-place.ts'
import { admitInTurn, type KeptPlace } from '../../domain/admission/turn.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { BudgetBalance } from '../../domain/budget/budget-balance.ts'
import { dayOf } from '../../domain/budget/day.ts'
import type { JobId, ProjectId, TaskId } from '../../domain/id.ts'
import { agentFor } from '../../domain/job/agent-for.ts'
import type { Job } from '../../domain/job/job.ts'
import { isOutOfMoney, isOutOfTime } from '../../domain/job/reached-limit.ts'
import { findAgentsOutOfQuota } from '../../domain/session/agents-out-of-quota.ts'
import type { Session } from '../../domain/session/session.ts'
import { askedSessionOf, attemptIdOf } from '../../domain/session/session-purpose.ts'
import type { Task } from '../../domain/task/task.ts'
import { attemptOf, runIdOf } from '../../domain/task/task-state.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { loadBalance } from './load-balance.ts'
import { discoveryWaiter, priorityOf, type StartWaiter, sessionWaiter } from './start-waiter.ts'
import { taskWaiters } from './task-waiters.ts'

export type AdmissionNeeds = Pick<EngineNeeds, 'clock'> & {
  readonly settings: Pick<EngineNeeds['settings'], 'maxSessions' | 'freeMemoryMb' | 'stalledJobs'>
}

/** What asks in addition to everything that waits: one request, or all ready tasks of a job. */
export type Asking =
  | { readonly type: 'one'; readonly waiter: StartWaiter }
  | { readonly type: 'tasks'; readonly job: Job; readonly tasks: readonly Task[] }
  | { readonly type: 'nobody' }

export type StartDecision = ReturnType<typeof admitInTurn<StartWaiter>>[number]

export type StartDecisions = {
  readonly decisions: readonly StartDecision[]
  /** When the first of the kept places is given up. */
  readonly keptUntil?: Date
}

/**
 * Decides, in turn order, what may start now of everything that waits or asks. Every start of an agent's program is
 * decided here, one at a time: the lock is held until the transaction that stores the decision ends.
 */
export async function decideStarts(
  needs: AdmissionNeeds,
  records: Records,
  asking: Asking,
): Promise<StartDecisions> {
  await records.sessions.lockAdmission()
  const now = needs.clock.now()
  const live = await records.sessions.listLive()
  const jobs = await loadJobs(records, live)
  const tasks = await loadTasks(records, jobs, asking, now)
  const parked = findAgentsOutOfQuota(live, now)
  const waiters = [
    ...(await waitingSessions(records, live, now)),
    ...waitingDiscoveries(jobs, now),
    ...[...tasks].flatMap(([jobId, list]) => {
      const job = jobs.get(jobId)
      return job !== undefined && mayStart(job, now) ? taskWaiters(job, list, parked, now) : []
    }),
  ]
  const asked = asking.type === 'one' ? [asking.waiter] : []
  const others = waiters.filter(
    ({ turn, request }) =>
      asked.every((waiter) => waiter.turn.id !== turn.id) && !isStalled(needs, request.jobId, asking),
  )
  const all = [...asked, ...others]
  const day = dayOf(now)
  const isDaily = all.some(({ request }) => request.limits.dailyUsd !== undefined)
  const usage: Usage = {
    maxSessions: needs.settings.maxSessions,
    occupants: occupantsOf(live, jobs),
    busyTasks: busyTasksOf([...tasks.values()].flat(), live),
    parked,
    freeMemoryMb: needs.settings.freeMemoryMb(),
    budgets: await loadBudgets(records, jobs, all),
    spentTodayUsd: isDaily ? await records.sessions.spentSince(day.start) : 0,
    midnight: day.end,
  }
  const places = await keptPlaces(needs, records, jobs, asking, now)
  const [first] = places.map(keptUntil).sort((one, other) => one.getTime() - other.getTime())
  return withoutUndefined({ decisions: admitInTurn(all, usage, places), keptUntil: first })
}

/** The places of attempts that have ended. What follows them is decided when they are settled. */
async function keptPlaces(
  needs: AdmissionNeeds,
  records: Records,
  jobs: Jobs,
  asking: Asking,
  now: Date,
): Promise<readonly KeptPlace[]> {
  const places: KeptPlace[] = []
  for (const attempt of await records.attempts.listEnded()) {
    const job = jobs.get(attempt.jobId)
    if (job === undefined || !mayStart(job, now) || isStalled(needs, job.id, asking)) continue
    const place = keepPlace(job, attempt, await priorityOf(records, attempt), now)
    if (place !== undefined) places.push(place)
  }
  return places
}

/** A job that can't be advanced can't use a slot either, unless it is being advanced right now. */
function isStalled({ settings }: AdmissionNeeds, jobId: JobId | undefined, asking: Asking): boolean {
  const isAsking = asking.type === 'tasks' && asking.job.id === jobId
  return jobId !== undefined && settings.stalledJobs.has(jobId) && !isAsking
}

/** Decides one request. */
export async function decideStart(
  needs: AdmissionNeeds,
  records: Records,
  waiter: StartWaiter,
): Promise<StartDecision['admission']> {
  const { decisions } = await decideStarts(needs, records, { type: 'one', waiter })
  const own = decisions.find((decision) => decision.waiter === waiter)
  if (own === undefined) throw new Error(`there is no decision on ${waiter.turn.id}`)
  return own.admission
}

type Jobs = ReadonlyMap<JobId, Job>

/** Open jobs, and ended jobs that still have a running session. */
async function loadJobs(records: Records, live: readonly Session[]): Promise<Jobs> {
  const jobs = new Map((await records.jobs.listOpen()).map((job) => [job.id, job]))
  for (const { jobId } of live) {
    if (jobId === undefined || jobs.has(jobId)) continue
    const job = await records.jobs.find(jobId)
    if (job !== undefined) jobs.set(jobId, job)
  }
  return jobs
}

/** The current tasks of the job that asks, and of every job with waiting tasks. */
async function loadTasks(
  records: Records,
  jobs: Jobs,
  asking: Asking,
  now: Date,
): Promise<ReadonlyMap<JobId, readonly Task[]>> {
  const tasks = new Map<JobId, readonly Task[]>()
  if (asking.type === 'tasks') tasks.set(asking.job.id, asking.tasks)
  for (const { jobId, cycleId } of await records.tasks.listWaiting()) {
    const job = jobs.get(jobId)
    if (tasks.has(jobId) || job === undefined || !mayStart(job, now)) continue
    tasks.set(jobId, await records.tasks.listOfCycle(cycleId))
  }
  return tasks
}

/** Whatever waits in a job that is paused or has reached a limit must not block others. */
function mayStart(job: Job, now: Date): boolean {
  return job.state.type === 'running' && !job.state.pausing && !isOutOfTime(job, now) && !isOutOfMoney(job)
}

async function waitingSessions(
  records: Records,
  live: readonly Session[],
  now: Date,
): Promise<readonly StartWaiter[]> {
  const waiters: StartWaiter[] = []
  for (const session of live) {
    if (session.state.type !== 'waiting') continue
    const waiter = await sessionWaiter(records, session, now)
    if (waiter !== undefined) waiters.push(waiter)
  }
  return waiters
}

function waitingDiscoveries(jobs: Jobs, now: Date): readonly StartWaiter[] {
  return [...jobs.values()].flatMap((job) => {
    const isWaiting = job.state.type === 'running' && job.state.waiting !== undefined
    const planner = agentFor(job.plan, 'discovery')
    return isWaiting && planner !== undefined && mayStart(job, now)
      ? [discoveryWaiter(job, planner, now)]
      : []
  })
}

async function loadBudgets(
  records: Records,
  jobs: Jobs,
  waiters: readonly StartWaiter[],
): Promise<ReadonlyMap<JobId, BudgetBalance>> {
  const budgets = new Map<JobId, BudgetBalance>()
  for (const { request } of waiters) {
    const job = request.jobId === undefined ? undefined : jobs.get(request.jobId)
    if (job === undefined || job.plan.limits.budgetUsd === undefined || budgets.has(job.id)) continue
    budgets.set(job.id, await loadBalance(records, job))
  }
  return budgets
}

/**
 * The tasks that are being worked on. A run works on its task until the run ends, even while none of its programs is
 * running. An attempt stops working on its task when its program ends: settling the attempt needs no agent.
 */
function busyTasksOf(tasks: readonly Task[], live: readonly Session[]): ReadonlyMap<TaskId, BusyTask> {
  const attempts = new Set(live.map(attemptIdOf))
  const isBusy = ({ state }: Task) => {
    const attemptId = attemptOf(state)
    return runIdOf(state) !== undefined || (attemptId !== undefined && attempts.has(attemptId))
  }
  return new Map(tasks.filter(isBusy).map(({ id, jobId, parallel }) => [id, { jobId, isAlone: !parallel }]))
}

function occupantsOf(live: readonly Session[], jobs: Jobs): readonly Occupant[] {
  return live.filter(isRunning).map((session) => {
    const { id: sessionId, agentName } = session
    return withoutUndefined({
      sessionId,
      role: admittedRole(session),
      agent: agentName,
      model: modelOf(agentOf(session, jobs) ?? {}),
      projectId: projectOf(session, live, jobs),
    })
  })
}

function agentOf({ purpose, jobId, agentName }: Session, jobs: Jobs): AgentSpec | undefined {
  if ('agent' in purpose) return purpose.agent
  const job = jobId === undefined ? undefined : jobs.get(jobId)
  return job?.plan.agents.find(({ name }) => name === agentName)
}

/** Undefined for a question to an ended session outside any job. */
function projectOf(session: Session, live: readonly Session[], jobs: Jobs): ProjectId | undefined {
  const { purpose, jobId } = session
  if (jobId !== undefined) return jobs.get(jobId)?.projectId
  if ('projectId' in purpose) return purpose.projectId
  const asked = live.find(({ id }) => id === askedSessionOf(session))
  return asked === undefined ? undefined : projectOf(asked, live, jobs)
}

/** A suspended session occupies its slot until its program has exited. */
function isRunning({ state }: Session): boolean {
  return state.type === 'suspended' ? !state.hasExited : state.type !== 'waiting'
}
