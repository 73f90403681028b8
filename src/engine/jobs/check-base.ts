import { baseChecking, basePassed } from '../../domain/event/base-events.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextBaseState } from '../../domain/job/next-base-state.ts'
import type { Records } from '../../ports/store/store.ts'
import { ensureBaseline } from '../baselines/ensure-baseline.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'history' | 'clock' | 'ids' | 'wakeAt'>

/** Has the commit that a job starts from checked, unless it is known to pass. Returns the job as stored. */
export async function checkBase(needs: Needs, records: Records, job: Job): Promise<Job> {
  const ensured = await ensureBaseline(needs, records, job)
  if (ensured === undefined) return job
  const { baseline, isShared } = ensured
  const isKnown = baseline.state.type === 'passed'
  const base = nextBaseState(job.base, { type: 'base-check', baselineId: baseline.id, isKnown })
  if (!base.ok) return job
  return await records.jobs.save(
    { ...job, base: base.value },
    {
      audit: { actor: 'engine', action: 'base-check', subject: job.id, detail: { isKnown } },
      events: [isKnown ? basePassed(job, true) : baseChecking(job, baseline, isShared)],
    },
  )
}
