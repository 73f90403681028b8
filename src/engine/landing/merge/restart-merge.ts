import type { Job } from '../../../domain/job/job.ts'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import { insertCandidate, withCandidate } from '../candidate/store-candidate.ts'
import { clearCheck } from '../check/clear-check.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { endCandidate } from '../verdict/end-candidate.ts'
import { describeMergeFailure, isMerge, type MergeCandidate, type MergeFailure } from './merge.ts'
import { type PreparedMerge, prepareMerge } from './prepare-merge.ts'

const MOVED = 'a branch moved while the merge was being checked'

/**
 * Stores the candidate of a merge, in place of the one before it where there is one. If someone else stored theirs
 * first, that one stays.
 */
export async function storeMerge(
  needs: LandingNeeds,
  job: Job,
  { onto, merged }: Extract<PreparedMerge, { type: 'commit' }>,
  replaced?: MergeCandidate,
): Promise<void> {
  await needs.store.withJob(job.id, async (records, locked) => {
    if (replaced !== undefined) {
      const outcome = { type: 'dropped', reason: MOVED } as const
      if (!(await endCandidate(needs, records, locked, replaced, outcome))) return
    }
    if ((await records.candidates.listOpen(locked.id)).some(isMerge)) return
    const tries = (replaced?.purpose.tries ?? 0) + 1
    await insertCandidate(needs, records, { job: locked, purpose: { type: 'merge', tries }, onto, merged })
  })
}

/** Merges and checks again what was built for a branch that has moved since, up to a limit. */
export async function restartMerge(
  needs: LandingNeeds,
  job: Job,
  candidate: MergeCandidate,
): Promise<boolean> {
  const { tries } = candidate.purpose
  if (tries >= RETRY_LIMITS.mergeRebuilds) {
    return refuseMerge(needs, candidate, `${MOVED}, ${tries} times in a row; try again when it is quiet`)
  }
  const prepared = await prepareMerge(needs, job)
  if (!prepared.ok) return refuseMerge(needs, candidate, prepared.failure)
  // Someone brought the two branches together meanwhile: there is nothing left to check.
  if (prepared.value.type !== 'commit') return refuseMerge(needs, candidate, `${MOVED}; merge again`)
  await storeMerge(needs, job, prepared.value, candidate)
  await clearCheck(needs, candidate)
  return true
}

/** Ends a merge that cannot be done; its row keeps the reason for whoever asks. */
export async function refuseMerge(
  needs: LandingNeeds,
  candidate: MergeCandidate,
  why: string | MergeFailure,
): Promise<boolean> {
  const reason = typeof why === 'string' ? why : describeMergeFailure(why)
  const refused = await withCandidate(needs, candidate, (records, job) =>
    endCandidate(needs, records, job, candidate, { type: 'refused', reason }),
  )
  await clearCheck(needs, candidate)
  return refused
}
