import type { LandingId } from '../../../domain/id.ts'
import type { Job } from '../../../domain/job/job.ts'
import { landingIdsOf, unusualIn } from '../../../domain/landing/candidate.ts'
import { mayLand } from '../../../domain/landing/candidate-state.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { endCandidate } from '../verdict/end-candidate.ts'
import { abandonedMove } from '../verdict/landing-moves.ts'
import { storeLanding } from '../verdict/store-landing.ts'

/**
 * Abandons all work that waits to land, in the transaction that ends the job. A candidate that was about to land may
 * have moved the branch already, which the merge queue finds out from git later. Returns the landings of such
 * candidates.
 */
export async function abandonQueue(
  needs: Pick<LandingNeeds, 'clock' | 'settings'>,
  records: Records,
  job: Job,
  reason: string,
): Promise<readonly LandingId[]> {
  const kept: LandingId[] = []
  for (const candidate of await records.candidates.listOpen(job.id)) {
    // A person's merge continues without the job.
    if (candidate.purpose.type === 'merge') continue
    if (mayLand(candidate.state, job.plan.mode ?? 'auto', unusualIn(candidate).length > 0))
      kept.push(...landingIdsOf(candidate))
    else await endCandidate(needs, records, job, candidate, { type: 'abandoned', reason })
  }
  for (const landing of await records.landings.listOpen(job.id)) {
    if (!kept.includes(landing.id)) await storeLanding(needs, records, landing.id, abandonedMove(reason))
  }
  return kept
}
