import type { Job } from '../../../domain/job/job.ts'
import { type Candidate, landingIdsOf } from '../../../domain/landing/candidate.ts'
import { halvedLimit } from '../../../domain/landing/choose-batch.ts'
import type { Records } from '../../../ports/store/store.ts'
import { withCandidate } from '../candidate/store-candidate.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { type CandidateOutcome, endCandidate } from './end-candidate.ts'

type Failed = { readonly candidate: Candidate; readonly after: readonly Candidate[] }

/** Refuses a landing that failed alone, on the current head. */
export async function rejectCandidate(needs: LandingNeeds, failed: Failed): Promise<boolean> {
  const { state } = failed.candidate
  if (state.type !== 'failed') return false
  const { reason, isByPerson } = state
  return endFailed(needs, failed, {
    type: 'refused',
    reason,
    ...(isByPerson === true ? { isDenied: true } : {}),
  })
}

/** One of several landings failed, and it is not known which, so they are tried again in batches of half the size. */
export async function divideCandidate(needs: LandingNeeds, failed: Failed): Promise<boolean> {
  const batchLimit = halvedLimit(landingIdsOf(failed.candidate).length)
  return endFailed(needs, failed, { type: 'dropped', reason: 'it failed together with others', batchLimit })
}

async function endFailed(
  needs: LandingNeeds,
  { candidate, after }: Failed,
  outcome: CandidateOutcome,
): Promise<boolean> {
  return withCandidate(needs, candidate, async (records, job) => {
    await endCandidate(needs, records, job, candidate, outcome)
    const isDenied = candidate.state.type === 'failed' && candidate.state.isDenied === true
    const why = isDenied ? 'the work it builds on was denied' : 'the candidate before it failed'
    await dropCandidates(needs, records, job, after, why)
    needs.crash.reach('landing.before-verdict')
    return true
  })
}

/** Drops candidates whose commits can no longer become the head. Returns true if any of them was still open. */
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
