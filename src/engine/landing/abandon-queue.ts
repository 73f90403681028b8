import type { LandingId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { Records } from '../../ports/store/store.ts'
import { abandonedMove } from './abandoned-move.ts'
import { stopCheck } from './drop-candidates.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { storeCandidate } from './store-candidate.ts'
import { storeLanding } from './store-landing.ts'

/**
 * Refuses all that waits to land, in the transaction that ends the job. A candidate that may land has perhaps moved
 * the branch already: git knows, and the merge queue asks it. Gives the landings that are part of such a one.
 */
export async function abandonQueue(
  needs: Pick<LandingNeeds, 'clock' | 'settings'>,
  records: Records,
  job: Job,
  reason: string,
): Promise<readonly LandingId[]> {
  const candidates = await records.candidates.listOpen(job.id)
  const undecided = candidates.filter(({ branch, state }) => {
    const mayHaveLanded = state.type === 'allowed' || (state.type === 'passed' && job.plan.mode !== 'approve')
    // What a person merges into their own branch goes on without the job.
    return branch !== job.workingBranch || mayHaveLanded
  })
  for (const candidate of candidates.filter((open) => !undecided.includes(open))) {
    await abandon(needs, records, candidate, reason)
  }
  const kept = new Set(undecided.flatMap(({ landingIds }) => landingIds))
  for (const landing of await records.landings.listOpen(job.id)) {
    if (kept.has(landing.id)) continue
    await storeLanding(needs, records, landing.id, abandonedMove(reason))
  }
  return [...kept]
}

async function abandon(
  needs: Pick<LandingNeeds, 'clock' | 'settings'>,
  records: Records,
  candidate: Candidate,
  reason: string,
): Promise<void> {
  await storeCandidate(needs, records, candidate.id, { event: { type: 'candidate-drop', reason } })
  await stopCheck(needs, records, candidate, reason)
}
