import { assertNever } from '../../domain/assert-never.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { type JobSight, nextStep } from '../../domain/job/next-step.ts'
import { isOutOfTime } from '../../domain/job/reached-limit.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import { admitPlanner } from '../admission/admit-planner.ts'
import { findSpentDay } from '../budget/day-limit.ts'
import { restForToday } from '../budget/rest-for-today.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { dispatchTasks } from '../tasks/dispatch-tasks.ts'
import { endJob, failJob, pauseReached } from './end-job.ts'
import { enterPhase } from './enter-phase.ts'
import { lookAtJob, nextRole } from './look-at-job.ts'
import { startCycle, startDiscovery } from './start-cycle.ts'
import { stopWaiting } from './stop-waiting.ts'

type Needs = Pick<EngineNeeds, 'store' | 'branches' | 'clock' | 'ids' | 'crash' | 'settings'>

/**
 * Moves a job on, as far as its rows allow. Level-triggered: it looks at what is, not at what happened, so a
 * repeated or forgotten call changes nothing.
 */
export async function advanceJob(needs: Needs, jobId: JobId): Promise<void> {
  const seen = await needs.store.read.jobs.find(jobId)
  if (seen === undefined || seen.state.type !== 'running') return
  const opened = await openWorkingBranch(needs, seen)
  await needs.store.withJob(jobId, async (records, job) => {
    if (!opened.ok) return failJob(needs, records, job, opened.failure)
    // Read under the lock: what a task depends on has landed by the time the task may start.
    const head = (await needs.branches.tip(job.projectId, job.workingBranch)) ?? job.baseCommit
    const sight = await lookAtJob(needs, records, job)
    if (isOutOfTime(job, sight.now)) await stopWaiting(needs, records, job)
    await takeStep(needs, records, sight, head)
    await reportSpentDay(needs, records, sight)
    needs.crash.reach('job-advance.before-commit')
  })
}

/** The working branch is made at the base the first time. Without it nothing could land, so nothing starts. */
async function openWorkingBranch(needs: Needs, job: Job): Promise<Result<void, string>> {
  if ((await needs.branches.tip(job.projectId, job.workingBranch)) !== undefined) return success(undefined)
  const made = await needs.branches.move(job.projectId, job.workingBranch, job.baseCommit, undefined)
  // Losing a race against ourselves means the branch is there, which is all that is wanted.
  if (made.ok || made.failure.type === 'branch-moved') return success(undefined)
  return failure(`branch ${job.workingBranch} cannot be made: ${describeFailure(made.failure)}`)
}

async function takeStep(needs: Needs, records: Records, sight: JobSight, head: string): Promise<void> {
  const step = nextStep(sight)
  switch (step.type) {
    case 'wait':
      return
    case 'pause':
      return pauseReached(needs, records, sight.job)
    case 'start-cycle': {
      const job = await admitPlanner(needs, records, sight.job)
      return job === undefined ? undefined : startCycle(needs, records, job, step.number, head)
    }
    case 'discover': {
      const job = await admitPlanner(needs, records, sight.job)
      return job === undefined ? undefined : startDiscovery(needs, records, { ...sight, job }, head)
    }
    case 'dispatch':
      return dispatchTasks(needs, records, sight, head)
    case 'converge':
      return enterPhase(records, sight, 'convergence', [{ type: 'job-advance', jobId: sight.job.id }])
    case 'update':
      return enterPhase(records, sight, 'update', [])
    case 'end':
      return endJob(needs, records, sight.job, { reason: step.reason, evidence: [] })
    default:
      return assertNever(step)
  }
}

/** Says once a day that nothing of the job starts before midnight. */
async function reportSpentDay(
  needs: Needs,
  records: Records,
  { job, cycles, tasks, unsettledAttempts }: JobSight,
): Promise<void> {
  if (unsettledAttempts > 0) return
  const spent = await findSpentDay(records, job, needs.clock.now())
  if (spent === undefined) return
  const isHeldUp = nextRole(cycles.at(-1), tasks) !== undefined
  if (isHeldUp) await restForToday(needs, records, job.id, spent)
}
