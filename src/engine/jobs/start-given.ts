import { givenDraft } from '../../domain/job/given-draft.ts'
import type { Job, JobApproach } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { applyDocuments } from './job-documents.ts'
import { openCycle } from './open-cycle.ts'

/** Stores the only cycle of a job without a planner. Its only task is the goal. */
export async function startGiven(
  needs: Pick<EngineNeeds, 'clock' | 'ids'>,
  records: Records,
  seen: Job,
  number: number,
  approach: JobApproach,
): Promise<void> {
  const job = await applyDocuments(records, seen, number)
  await openCycle(needs, records, job, number, { phase: 'execution', drafts: [givenDraft(job, approach)] })
  await records.jobs.save(
    { ...job, currentCycle: number, updatedAt: needs.clock.now() },
    {
      audit: { actor: 'engine', action: 'job-cycle', subject: job.id, detail: { number } },
      follow: [{ type: 'job-advance', jobId: job.id }],
    },
  )
}
