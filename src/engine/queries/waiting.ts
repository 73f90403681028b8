import { START_LIMITS } from '../../domain/admission/limit-order.ts'
import type { Waiting as StartWait } from '../../domain/admission/refusal.ts'
import type { Approval } from '../../domain/approval/approval.ts'
import type { Baseline } from '../../domain/baseline/baseline.ts'
import { dayOf } from '../../domain/budget/day.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { APPROVAL_LIMITS } from '../../domain/limits/approval-limits.ts'
import type { Session } from '../../domain/session/session.ts'
import { rulesOf } from '../../domain/session/session-purpose.ts'
import type { Suspension } from '../../domain/session/session-state.ts'
import type { Task } from '../../domain/task/task.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Clock } from '../../ports/clock.ts'
import { loadAttemptTasks } from './attempt-tasks.ts'
import type { Reads } from './find-record.ts'
import { listOpenQuestions, type OpenQuestion } from './open-questions.ts'

type Needs = Reads & { readonly clock: Clock }

type UnreadySuspension = Extract<Suspension, { readonly type: 'unready' }>

/** Something that waits for a person, for a time, or for capacity. */
export type Waiting =
  | {
      readonly type: 'approval'
      readonly approval: Approval
      readonly agentName?: string
      /** The task that the asking session works on. */
      readonly task?: Task
    }
  | { readonly type: 'question'; readonly question: OpenQuestion }
  | { readonly type: 'session-limited'; readonly session: Session; readonly until: string }
  /** Its program can't work until a person helps. One session stands for all of its job with the same reason. */
  | { readonly type: 'session-unready'; readonly session: Session; readonly why: UnreadySuspension }
  | { readonly type: 'session-suspended'; readonly session: Session; readonly reason?: string }
  /** A personal session whose agent has finished its turn. */
  | { readonly type: 'session-idle'; readonly session: Session }
  /** A limit keeps a session from starting. */
  | { readonly type: 'session-start'; readonly session: Session; readonly wait: StartWait }
  /** A limit keeps tasks of a job from starting, or its planner if the count is absent. */
  | { readonly type: 'job-start'; readonly job: Job; readonly wait: StartWait; readonly tasks?: number }
  /** Its base fails its checks, and a person must decide what to do about that. */
  | { readonly type: 'base-failing'; readonly job: Job; readonly baseline: Baseline }
  | { readonly type: 'job-paused'; readonly job: Job }
  | { readonly type: 'job-pending'; readonly job: Job }
  /** The daily limit of all jobs is spent, so the job starts nothing more today. */
  | {
      readonly type: 'job-day-spent'
      readonly job: Job
      readonly dailyUsd: number
      readonly until: Date
    }

/** What waits in these open jobs and live sessions, most urgent first; only that of one job if it is given. */
export async function listWaiting(
  needs: Needs,
  jobs: readonly Job[],
  live: readonly Session[],
  jobId?: JobId,
): Promise<readonly Waiting[]> {
  const pending = withoutUndefined({ isPending: true, jobId })
  const [approvals, questions, bases, daySpent, tasks] = await Promise.all([
    needs.store.read.approvals.list(pending, APPROVAL_LIMITS.listed),
    listOpenQuestions(needs, live, jobId),
    listFailingBases(needs, jobs),
    listDaySpent(needs, jobs),
    needs.store.read.tasks.listWaiting(),
  ])
  const asking = await loadAttemptTasks(needs, approvals)
  const agents = new Map<string, string>(live.map(({ id, agentName }) => [id, agentName]))
  return [
    ...approvals.map((approval) => waitingApproval(approval, agents, asking)),
    ...questions.map((question) => ({ type: 'question', question }) as const),
    ...bases,
    ...withoutRepetition(live.flatMap(waitingSession)),
    ...jobs.flatMap(waitingJob),
    ...daySpent,
    ...jobs.flatMap((job) => waitingStarts(job, tasks)),
  ]
}

/** The same for one job. */
export async function listWaitingOfJob(needs: Needs, job: Job): Promise<readonly Waiting[]> {
  if (isJobFinished(job.state)) return []
  return await listWaiting(needs, [job], await needs.store.read.sessions.listLive(job.id), job.id)
}

function waitingApproval(
  approval: Approval,
  agents: ReadonlyMap<string, string>,
  tasks: ReadonlyMap<string, Task>,
): Waiting {
  const { asker } = approval
  const agentName = asker.type === 'session' ? agents.get(asker.sessionId) : undefined
  const task = tasks.get(approval.attemptId ?? '')
  return withoutUndefined({ type: 'approval', approval, agentName, task } as const)
}

function waitingSession(session: Session): readonly Waiting[] {
  const { state, conversation, mode } = session
  if (state.type === 'waiting') return [{ type: 'session-start', session, wait: state }]
  if (state.type === 'suspended' && state.resume === undefined) {
    const { why } = state
    if (why.type === 'limited') return [{ type: 'session-limited', session, until: why.until }]
    if (why.type === 'unready') return [{ type: 'session-unready', session, why }]
    return [withoutUndefined({ type: 'session-suspended', session, reason: why.reason } as const)]
  }
  const isAttentive =
    state.type === 'running' && conversation.turn !== undefined && conversation.openTurns === 0
  const isIdle = isAttentive && !rulesOf(session).endsWithTurn && mode !== 'interactive'
  return isIdle ? [{ type: 'session-idle', session }] : []
}

/** A command for the job helps all its sessions. */
function withoutRepetition(waits: readonly Waiting[]): readonly Waiting[] {
  const known = new Set<string>()
  return waits.filter((wait) => {
    if (wait.type !== 'session-unready' || wait.session.jobId === undefined) return true
    const key = `${wait.session.jobId} ${wait.why.reason}`
    const isFirst = !known.has(key)
    known.add(key)
    return isFirst
  })
}

function waitingJob(job: Job): readonly Waiting[] {
  if (job.state.type === 'paused') return [{ type: 'job-paused', job }]
  return job.state.type === 'pending' ? [{ type: 'job-pending', job }] : []
}

/**
 * Tasks by limit, without the job's own parallel limit and a spent day, which are shown elsewhere. While a job is being
 * paused, they wait for its resumption, not for a limit.
 */
function waitingStarts(job: Job, tasks: readonly Task[]): readonly Waiting[] {
  if (job.state.type !== 'running' || job.state.pausing) return []
  const { waiting: planner } = job.state
  const waits = tasks.flatMap(({ jobId, state }) =>
    jobId === job.id && state.type === 'pending' && state.waiting !== undefined ? [state.waiting] : [],
  )
  const shown = START_LIMITS.filter((limit) => limit !== 'phase' && limit !== 'day')
  return shown.flatMap((limit): readonly Waiting[] => {
    const alike = waits.filter((wait) => wait.limit === limit)
    const [wait] = alike
    return [
      ...(planner?.limit === limit ? [{ type: 'job-start', job, wait: planner } as const] : []),
      ...(wait === undefined ? [] : [{ type: 'job-start', job, wait, tasks: alike.length } as const]),
    ]
  })
}

async function listFailingBases({ store }: Needs, jobs: readonly Job[]): Promise<readonly Waiting[]> {
  const asking = jobs.flatMap((job) => (job.base?.type === 'asking' ? [{ job, base: job.base }] : []))
  const baselines = await store.read.baselines.findMany(asking.map(({ base }) => base.baselineId))
  return asking.flatMap(({ job, base }) => {
    const baseline = baselines.find(({ id }) => id === base.baselineId)
    return baseline === undefined ? [] : [{ type: 'base-failing', job, baseline }]
  })
}

async function listDaySpent({ store, clock }: Needs, jobs: readonly Job[]): Promise<readonly Waiting[]> {
  const capped = jobs.flatMap((job) => {
    const { dailyUsd } = job.plan.limits
    return job.state.type === 'running' && dailyUsd !== undefined ? [{ job, dailyUsd }] : []
  })
  if (capped.length === 0) return []
  const { start, end: until } = dayOf(clock.now())
  const spentUsd = await store.read.sessions.spentSince(start)
  return capped
    .filter(({ dailyUsd }) => spentUsd >= dailyUsd)
    .map(({ job, dailyUsd }) => ({ type: 'job-day-spent', job, dailyUsd, until }))
}
