import type { Job } from '../../../domain/job/job.ts'
import { type Candidate, landingIdsOf } from '../../../domain/landing/candidate.ts'
import { halvedLimit } from '../../../domain/landing/choose-batch.ts'
import type { Records } from '../../../ports/store/store.ts'
import { withCandidate } from '../candidate/store-candidate.ts'
import { clearCheck } from '../check/clear-check.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { type CandidateOutcome, endCandidate } from './end-candidate.ts'

type Failed = { readonly candidate: Candidate; readonly after: readonly Candidate[] }

/** What failed alone, on the head as it is, does not come in. */
export async function rejectCandidate(needs: LandingNeeds, failed: Failed): Promise<boolean> {
  const { state } = failed.candidate
  if (state.type !== 'failed') return false
  return endFailed(needs, failed, { type: 'refused', reason: state.reason })
}

/** Which of several landings failed is not known: they come again in batches of half the size. */
export async function divideCandidate(needs: LandingNeeds, failed: Failed): Promise<boolean> {
  const batchLimit = halvedLimit(landingIdsOf(failed.candidate).length)
  return endFailed(needs, failed, { type: 'dropped', reason: 'it failed together with others', batchLimit })
}

async function endFailed(
  needs: LandingNeeds,
  { candidate, after }: Failed,
  outcome: CandidateOutcome,
): Promise<boolean> {
  const stored = await withCandidate(needs, candidate, async (records, job) => {
    await endCandidate(needs, records, job, candidate, outcome)
    await dropCandidates(needs, records, job, after, 'the candidate before it failed')
    needs.crash.reach('landing.before-verdict')
    return true
  })
  await clearCheck(needs, candidate)
  return stored
}

/** Drops candidates whose commits will not become the head; true when any of them was still open. */
export async function dropCandidates(
  needs: Pick<LandingNeeds, 'clock' | 'settings'>,
  records: Records,
  job: Job,
  candidates: readonly Candidate[],
  reason: string,
): Promise<boolean> {
  let isChanged = false
  for (const candidate of candidates) {
    if (await endCandidate(needs, records, job, candidate, { type: 'dropped', reason })) isChanged = true
  }
  return isChanged
}
