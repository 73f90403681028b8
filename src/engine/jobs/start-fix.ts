import type { Baseline } from '../../domain/baseline/baseline.ts'
import { fixDraft } from '../../domain/job/fix-draft.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextBaseState } from '../../domain/job/next-base-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { openCycle } from './open-cycle.ts'

/** Stores a cycle whose only task is to fix the base. It has no planner, because Muster knows what to do. */
export async function startFix(
  needs: Pick<EngineNeeds, 'clock' | 'ids'>,
  records: Records,
  job: Job,
  baseline: Baseline,
  number: number,
): Promise<void> {
  const base = nextBaseState(job.base, { type: 'fix-start' })
  if (!base.ok) return
  const drafts = [fixDraft(baseline, job.baseBranch)]
  await openCycle(needs, records, job, number, { phase: 'execution', drafts, isFix: true })
  await records.jobs.save(
    { ...job, base: base.value, currentCycle: number, updatedAt: needs.clock.now() },
    {
      audit: { actor: 'engine', action: 'fix-start', subject: job.id, detail: { number } },
      follow: [{ type: 'job-advance', jobId: job.id }],
    },
  )
}
