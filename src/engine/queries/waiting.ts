import { START_LIMITS, type Waiting as StartWait } from '../../domain/admission/refusal.ts'
import type { Approval } from '../../domain/approval/approval.ts'
import { dayOf } from '../../domain/budget/day.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobOver } from '../../domain/job/job-state.ts'
import { APPROVAL_LIMITS } from '../../domain/limits/approval-limits.ts'
import type { Session } from '../../domain/session/session.ts'
import { rulesOf } from '../../domain/session/session-purpose.ts'
import type { Task } from '../../domain/task/task.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Reads } from './find-record.ts'
import { listOpenQuestions, type OpenQuestion } from './open-questions.ts'

type Needs = Reads & { readonly clock: Clock }

/** Something that continues when a person acts, when its time has come, or when capacity is free. */
export type Waiting =
  | { readonly type: 'approval'; readonly approval: Approval; readonly agentName?: string }
  | { readonly type: 'question'; readonly question: OpenQuestion }
  | { readonly type: 'session-limited'; readonly session: Session; readonly until: string }
  | { readonly type: 'session-suspended'; readonly session: Session; readonly reason: string }
  /** A personal session whose agent has finished its turn. */
  | { readonly type: 'session-idle'; readonly session: Session }
  /** A limit keeps a session from starting. */
  | { readonly type: 'session-start'; readonly session: Session; readonly wait: StartWait }
  /** The same for tasks of a job, or for its planner where the count is absent. */
  | { readonly type: 'job-start'; readonly job: Job; readonly wait: StartWait; readonly tasks?: number }
  | { readonly type: 'job-paused'; readonly job: Job }
  | { readonly type: 'job-pending'; readonly job: Job }
  /** The job starts nothing more today: all jobs together have cost what a day may cost. */
  | {
      readonly type: 'job-day-spent'
      readonly job: Job
      readonly dailyUsd: number
      readonly until: Date
    }

/** What waits of these open jobs and live sessions, most urgent first; one job's only where it is named. */
export async function listWaiting(
  needs: Needs,
  jobs: readonly Job[],
  live: readonly Session[],
  jobId?: JobId,
): Promise<readonly Waiting[]> {
  const pending = withoutUndefined({ isPending: true, jobId })
  const [approvals, questions, daySpent, tasks] = await Promise.all([
    needs.store.read.approvals.list(pending, APPROVAL_LIMITS.listed),
    listOpenQuestions(needs, live, jobId),
    listDaySpent(needs, jobs),
    needs.store.read.tasks.listWaiting(),
  ])
  const agents = new Map<string, string>(live.map(({ id, agentName }) => [id, agentName]))
  return [
    ...approvals.map((approval) => waitingApproval(approval, agents)),
    ...questions.map((question) => ({ type: 'question', question }) as const),
    ...live.flatMap(waitingSession),
    ...jobs.flatMap(waitingJob),
    ...daySpent,
    ...jobs.flatMap((job) => waitingStarts(job, tasks)),
  ]
}

/** The same for one job. */
export async function listWaitingOfJob(needs: Needs, job: Job): Promise<readonly Waiting[]> {
  if (isJobOver(job.state)) return []
  return await listWaiting(needs, [job], await needs.store.read.sessions.listLive(job.id), job.id)
}

function waitingApproval(approval: Approval, agents: ReadonlyMap<string, string>): Waiting {
  const { asker } = approval
  const agentName = asker.type === 'session' ? agents.get(asker.sessionId) : undefined
  return withoutUndefined({ type: 'approval', approval, agentName } as const)
}

function waitingSession(session: Session): readonly Waiting[] {
  const { state, talk, mode } = session
  if (state.type === 'waiting') return [{ type: 'session-start', session, wait: state }]
  if (state.type === 'suspended' && state.resume === undefined) {
    const { why } = state
    if (why.type === 'limited') return [{ type: 'session-limited', session, until: why.until }]
    return [{ type: 'session-suspended', session, reason: why.reason }]
  }
  const isAttentive = state.type === 'running' && talk.turn !== undefined && talk.openTurns === 0
  const isIdle = isAttentive && !rulesOf(session).endsWithTurn && mode !== 'interactive'
  return isIdle ? [{ type: 'session-idle', session }] : []
}

function waitingJob(job: Job): readonly Waiting[] {
  if (job.state.type === 'paused') return [{ type: 'job-paused', job }]
  return job.state.type === 'pending' ? [{ type: 'job-pending', job }] : []
}

/** By limit, and without those that say nothing new: the job's own tasks at once, and a spent day. */
function waitingStarts(job: Job, tasks: readonly Task[]): readonly Waiting[] {
  if (job.state.type !== 'running') return []
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
