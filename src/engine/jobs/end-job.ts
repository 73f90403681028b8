import { jobCompleted, jobFailed, jobPaused } from '../../domain/event/job-events.ts'
import type { Job } from '../../domain/job/job.ts'
import type { CompletionReason } from '../../domain/job/job-state.ts'
import { nextJobState } from '../../domain/job/next-job-state.ts'
import { reachedLimit } from '../../domain/job/reached-limit.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { abandonQueue } from '../landing/queue/abandon-queue.ts'
import { withStoppedClock } from './control-job.ts'
import { hasWaitingEdit } from './waiting-edits.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'settings'>

type End = { readonly reason: CompletionReason; readonly evidence: readonly string[] }

/** Ends a job that has come to its end, unless a person has wished for something since that it may still look at. */
export async function endJob(needs: Needs, records: Records, job: Job, end: End): Promise<void> {
  if (await hasReasonToGoOn(needs, records, job)) return goOn(records, job)
  const state = nextJobState(job.state, { type: 'job-end', ...end })
  if (!state.ok) return
  const now = needs.clock.now()
  await abandonQueue(needs, records, job, 'the job ended')
  const tasks = await records.tasks.listOfJob(job.id)
  const landed = tasks.filter((task) => task.state.type === 'completed').length
  const summary = `${landed} of ${tasks.length} tasks landed in ${job.currentCycle} cycles: ${end.reason}`
  await records.jobs.save(
    { ...withStoppedClock(job, now), state: state.value, completedAt: now, summary },
    {
      audit: { actor: 'engine', action: 'job-end', subject: job.id, detail: { reason: end.reason } },
      events: [jobCompleted(job, { totalTasks: tasks.length, summary, ...end })],
      // The last delivery did not succeed: what stood in its way may be gone by now.
      follow: [
        ...(job.lastError === undefined ? [] : [{ type: 'job-deliver', jobId: job.id } as const]),
        { type: 'landing-advance', jobId: job.id },
        { type: 'admission-wake' },
        { type: 'trees-warm', projectId: job.projectId },
      ],
    },
  )
}

async function hasReasonToGoOn(needs: Needs, records: Records, job: Job): Promise<boolean> {
  if (job.state.type !== 'running' || !(await hasWaitingEdit(records, job.id))) return false
  const cycles = await records.cycles.listOf(job.id)
  return reachedLimit(job, cycles.length, needs.clock.now()) === undefined
}

async function goOn(records: Records, job: Job): Promise<void> {
  await records.note({
    audit: { actor: 'engine', action: 'job-go-on', subject: job.id, detail: {} },
    follow: [{ type: 'job-advance', jobId: job.id }],
  })
}

/** Ends a job that cannot go on by itself, with what a person needs to know. */
export async function failJob(needs: Needs, records: Records, job: Job, error: string): Promise<void> {
  const state = nextJobState(job.state, { type: 'job-error', error })
  if (!state.ok) return
  const now = needs.clock.now()
  await abandonQueue(needs, records, job, 'the job ended with an error')
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
  await records.jobs.save(
    { ...withStoppedClock(job, needs.clock.now()), state: state.value },
    {
      audit: { actor: 'engine', action: 'job-pause', subject: job.id, detail: {} },
      events: [jobPaused(job)],
    },
  )
}
