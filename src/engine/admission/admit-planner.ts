import { jobWaiting } from '../../domain/event/job-events.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextJobState } from '../../domain/job/next-job-state.ts'
import type { Records } from '../../ports/store/store.ts'
import { type AdmissionNeeds, decideStart } from './decide-starts.ts'
import { discoveryWaiter, isUnchanged } from './start-waiter.ts'

/** The job, if its planner may start now; otherwise the job waits, and says for what. */
export async function admitPlanner(
  needs: AdmissionNeeds,
  records: Records,
  job: Job,
): Promise<Job | undefined> {
  const planner = job.plan.agents.find(({ name }) => name === job.plan.planner)
  // Whoever starts the planner reports that there is none.
  if (planner === undefined) return job
  const now = needs.clock.now()
  const waiter = discoveryWaiter(job, planner, now)
  const admission = await decideStart(needs, records, waiter)
  if (isUnchanged(waiter, admission)) return undefined
  const audit = { actor: 'engine', subject: job.id } as const
  if (admission.type === 'admitted') {
    const state = nextJobState(job.state, { type: 'start-admit' })
    if (!state.ok || job.state.type !== 'running' || job.state.waiting === undefined) return job
    return await records.jobs.save(
      { ...job, state: state.value },
      { audit: { ...audit, action: 'job-admit', detail: {} } },
    )
  }
  const { type: _, ...refusal } = admission
  const state = nextJobState(job.state, { type: 'start-refuse', refusal, at: now })
  if (!state.ok) return undefined
  await records.jobs.save(
    { ...job, state: state.value, updatedAt: now },
    {
      audit: { ...audit, action: 'job-wait', detail: { limit: refusal.limit } },
      // A spent day has an event of its own.
      events: refusal.limit === 'day' ? [] : [jobWaiting(job, 'planner', refusal)],
      follow: refusal.until === undefined ? [] : [{ type: 'admission-wake' }],
    },
  )
  return undefined
}
