import type { Candidate } from '../../domain/landing/candidate.ts'
import { clearCheck } from '../landing/clear-check.ts'
import { dropCandidates } from '../landing/drop-candidates.ts'
import type { LandingNeeds } from '../landing/landing-needs.ts'
import { describeMergeFailure } from './describe-merge-failure.ts'
import type { MergeFailure } from './merge.ts'

/** Ends a merge that cannot be; the reason stays on its row for whoever asks. */
export async function refuseMerge(
  needs: LandingNeeds,
  candidate: Candidate,
  why: string | MergeFailure,
): Promise<boolean> {
  const reason = typeof why === 'string' ? why : describeMergeFailure(why)
  const dropped = await dropCandidates(needs, candidate.jobId, [candidate], reason)
  await clearCheck(needs, candidate)
  return dropped
}
