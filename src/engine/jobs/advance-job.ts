import { whyNever } from '../../domain/admission/admit.ts'
import { describeRefusal } from '../../domain/admission/refusal.ts'
import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { nextCyclePhase } from '../../domain/cycle/next-cycle-phase.ts'
import { phaseEntered } from '../../domain/event/cycle-events.ts'
import type { JobId } from '../../domain/id.ts'
import { agentFor } from '../../domain/job/agent-for.ts'
import type { Job } from '../../domain/job/job.ts'
import { type JobSnapshot, nextStep } from '../../domain/job/next-step.ts'
import { isOutOfTime } from '../../domain/job/reached-limit.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { rulesOf } from '../../domain/session/session-purpose.ts'
import type { SessionState } from '../../domain/session/session-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import { requestInJob } from '../admission/start-waiter.ts'
import { parkForToday } from '../budget/park-for-today.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeStop } from '../sessions/end/stop-session.ts'
import { dispatchTasks } from './dispatch-tasks.ts'
import { endJob, failJob, pauseReached } from './end-job.ts'
import { judgeBase, judgeFix } from './judge-base.ts'
import { keepClock } from './keep-clock.ts'
import { loadJob, nextRole } from './load-job.ts'
import { startCycle, startDiscovery } from './start-cycle.ts'
import { startFix } from './start-fix.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'branches' | 'history' | 'clock' | 'ids' | 'crash' | 'settings' | 'wakeAt'
>

/**
 * Advances a job as far as its rows allow. It reads the current state instead of reacting to an event, so a repeated
 * call changes nothing and a lost call is made up for by the next one.
 */
export async function advanceJob(needs: Needs, jobId: JobId): Promise<void> {
  await needs.store.withJob(jobId, async (records, job) => {
    if (job.state.type !== 'running') return
    const head = await ensureWorkingBranch(needs, job)
    if (!head.ok) return failJob(needs, records, job, head.failure)
    const impossible = findImpossibleRole(job)
    if (impossible !== undefined) return failJob(needs, records, job, impossible)
    const loaded = await loadJob(needs, records, job)
    const snapshot = { ...loaded, job: await keepClock(records, loaded) }
    if (isOutOfTime(job, snapshot.now)) await stopWaiting(needs, records, job)
    await takeStep(needs, records, snapshot, head.value)
    const isIdle =
      snapshot.unsettledAttempts === 0 && nextRole(job, snapshot.cycles.at(-1), snapshot.tasks) !== undefined
    if (isIdle) await parkForToday(needs, records, job)
    needs.crash.reach('job-advance.before-commit')
  })
}

/**
 * The head of the working branch, which is created at the base the first time. Without the branch nothing could land, so
 * nothing starts. Read under the job's lock, so that a task starts from a head that contains the work it depends on.
 */
async function ensureWorkingBranch(needs: Needs, job: Job): Promise<Result<string, string>> {
  const head = await needs.branches.tip(job.projectId, job.workingBranch)
  if (head !== undefined) return success(head)
  const made = await needs.branches.move(job.projectId, job.workingBranch, job.baseCommit, undefined)
  if (made.ok) return success(job.baseCommit)
  // It exists after all: somebody else was first, or it could not be read.
  const found = await needs.branches.tip(job.projectId, job.workingBranch)
  if (found !== undefined) return success(found)
  if (made.failure.type === 'branch-moved') throw new Error(`branch ${job.workingBranch} can't be read`)
  return failure(`branch ${job.workingBranch} cannot be created: ${describeFailure(made.failure)}`)
}

/** A role that its agent can never take, which would keep the job waiting. Jobs of earlier versions may have one. */
function findImpossibleRole(job: Job): string | undefined {
  for (const purpose of ['discovery', 'task', 'review'] as const) {
    const role = ROLE_FOR[purpose]
    const agent = agentFor(job.plan, purpose)
    const limit = agent === undefined ? undefined : whyNever(requestInJob(job, role, agent))
    if (agent !== undefined && limit !== undefined) {
      return `the ${role} ${agent.name} can never start: ${describeRefusal({ limit, value: 0, inUse: 0 })}`
    }
  }
  return undefined
}

async function takeStep(needs: Needs, records: Records, snapshot: JobSnapshot, head: string): Promise<void> {
  const step = nextStep(snapshot)
  switch (step.type) {
    case 'wait':
      return
    case 'pause':
      return pauseReached(needs, records, snapshot.job)
    case 'start-cycle':
      return startCycle(needs, records, snapshot.job, step.number, head)
    case 'judge-base':
      return judgeBase(needs, records, snapshot.job, step.baseline)
    case 'start-fix':
      return startFix(needs, records, snapshot.job, step.baseline, step.number)
    case 'judge-fix':
      return judgeFix(needs, records, snapshot)
    case 'discover':
      return startDiscovery(needs, records, snapshot, head)
    case 'dispatch':
      return dispatchTasks(needs, records, snapshot, head)
    case 'converge':
      return enterPhase(records, snapshot, 'convergence')
    case 'update':
      return enterPhase(records, snapshot, 'update')
    case 'end':
      return endJob(needs, records, snapshot.job, { reason: step.reason, evidence: [] })
    default:
      return assertNever(step)
  }
}

/** Moves the newest cycle into its next phase, and sends the work of that phase. */
async function enterPhase(
  records: Records,
  { job, cycles }: JobSnapshot,
  to: 'convergence' | 'update',
): Promise<void> {
  const cycle = cycles.at(-1)
  const phase = cycle === undefined ? undefined : nextCyclePhase(cycle.phase, to)
  if (cycle === undefined || phase?.ok !== true) return
  const moved = { ...cycle, phase: phase.value }
  const next: Work =
    to === 'update' ? { type: 'cycle-update', cycleId: cycle.id } : { type: 'job-advance', jobId: job.id }
  await records.cycles.save(moved, {
    audit: { actor: 'engine', action: 'cycle-phase', subject: cycle.id, detail: { phase: to } },
    events: [phaseEntered(moved)],
    follow: [next],
  })
}

const IDLE: readonly SessionState['type'][] = ['waiting', 'suspended', 'starting']

/**
 * Stops the sessions of a job that is out of time if they wait for a slot, for quota, or for the next day's budget.
 * Nothing else would end them. Running sessions have a deadline.
 */
async function stopWaiting(needs: Needs, records: Records, job: Job): Promise<void> {
  for (const session of await records.sessions.listLive(job.id)) {
    if (!rulesOf(session).stopsAtTimeLimit || !IDLE.includes(session.state.type)) continue
    const afterMs = needs.clock.now().getTime() - session.createdAt.getTime()
    await storeStop(needs, records, session, { type: 'timed-out', afterMs })
  }
}
