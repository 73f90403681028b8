import { jobCompleted, jobFailed, jobPaused } from '../../domain/event/job-events.ts'
import { goalClauses } from '../../domain/goal/goal-clauses.ts'
import { countedCycles } from '../../domain/job/base-state.ts'
import type { Job } from '../../domain/job/job.ts'
import type { CompletionReason } from '../../domain/job/job-state.ts'
import { nextJobState } from '../../domain/job/next-job-state.ts'
import { reachedLimit } from '../../domain/job/reached-limit.ts'
import { isCovered } from '../../domain/report/covered-by.ts'
import { withStoppedClock as withStoppedRunClock } from '../../domain/run/run-clock.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { closeWork } from './close-work.ts'
import { hasWaitingEdit } from './job-documents.ts'
import { withStoppedClock } from './keep-clock.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'settings'>

type End = { readonly reason: CompletionReason; readonly evidence: readonly string[] }

/** Ends a job, unless a person has edited its documents since and its limits allow another cycle. */
export async function endJob(needs: Needs, records: Records, job: Job, end: End): Promise<void> {
  if (await hasReasonToContinue(needs, records, job)) return resume(records, job)
  const state = nextJobState(job.state, { type: 'job-end', ...end })
  if (!state.ok) return
  const now = needs.clock.now()
  await closeWork(needs, records, job, 'the job ended')
  const tasks = await records.tasks.listOfJob(job.id)
  const landed = tasks.filter((task) => task.state.type === 'completed').length
  const ended = { job: { ...job, state: state.value }, clauses: goalClauses(job.requestDocument), tasks }
  const unlanded = tasks.filter(
    (task) => (task.state.type === 'failed' || task.state.type === 'blocked') && !isCovered(ended, task),
  ).length
  const cycles = job.currentCycle === 1 ? '1 cycle' : `${job.currentCycle} cycles`
  const summary = `${landed} of ${tasks.length} tasks landed in ${cycles}: ${end.reason}`
  await records.jobs.save(
    { ...withStoppedClock(job, now), state: state.value, completedAt: now, summary },
    {
      audit: { actor: 'engine', action: 'job-end', subject: job.id, detail: { reason: end.reason } },
      events: [
        jobCompleted(job, {
          totalTasks: tasks.length,
          unlanded: unlanded === 0 ? undefined : unlanded,
          summary,
          ...end,
        }),
      ],
      // If the last delivery failed, it is tried again, because its obstacle may be gone.
      follow: [
        ...(job.lastError === undefined ? [] : [{ type: 'job-deliver', jobId: job.id } as const]),
        { type: 'landing-advance', jobId: job.id },
        { type: 'admission-wake' },
        { type: 'trees-warm', projectId: job.projectId },
      ],
    },
  )
}

async function hasReasonToContinue(needs: Needs, records: Records, job: Job): Promise<boolean> {
  // Only a planner could apply the edit.
  if (job.plan.approach !== undefined) return false
  if (job.state.type !== 'running' || !(await hasWaitingEdit(records, job.id))) return false
  const cycles = await records.cycles.listOf(job.id)
  return reachedLimit(job, countedCycles(job, cycles.length), needs.clock.now()) === undefined
}

async function resume(records: Records, job: Job): Promise<void> {
  await records.note({
    audit: { actor: 'engine', action: 'job-go-on', subject: job.id, detail: {} },
    follow: [{ type: 'job-advance', jobId: job.id }],
  })
}

/** Ends a job that cannot continue, with an error for the person. */
export async function failJob(needs: Needs, records: Records, job: Job, error: string): Promise<void> {
  const state = nextJobState(job.state, { type: 'job-error', error })
  if (!state.ok) return
  const now = needs.clock.now()
  await closeWork(needs, records, job, 'the job ended with an error')
  await records.jobs.save(
    {
      ...withStoppedClock(job, now),
      state: state.value,
      completedAt: now,
      lastError: error,
      errorCount: job.errorCount + 1,
    },
    {
      audit: { actor: 'engine', action: 'job-error', subject: job.id, detail: {} },
      events: [jobFailed(job, error)],
      follow: [
        { type: 'landing-advance', jobId: job.id },
        { type: 'admission-wake' },
        { type: 'job-deliver', jobId: job.id },
        { type: 'trees-warm', projectId: job.projectId },
      ],
    },
  )
}

export async function pauseReached(needs: Needs, records: Records, job: Job): Promise<void> {
  const state = nextJobState(job.state, { type: 'pause-reached' })
  if (!state.ok) return
  await stopRunClocks(needs, records, job)
  await records.jobs.save(
    { ...withStoppedClock(job, needs.clock.now()), state: state.value },
    {
      audit: { actor: 'engine', action: 'job-pause', subject: job.id, detail: {} },
      events: [jobPaused(job)],
    },
  )
}

/** A pause doesn't count toward the time of a run either. The runs start their clocks when they continue. */
async function stopRunClocks(needs: Needs, records: Records, job: Job): Promise<void> {
  for (const run of await records.runs.listOpen(job.id)) {
    if (run.runningSince === undefined) continue
    await records.runs.save(withStoppedRunClock(run, needs.clock.now()), {
      audit: { actor: 'engine', action: 'run-clock-stop', subject: run.id, detail: {} },
    })
  }
}
