import type { Job } from '../../../domain/job/job.ts'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import { insertCandidate, withCandidate } from '../candidate/store-candidate.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { endCandidate } from '../verdict/end-candidate.ts'
import { describeMergeFailure, isMerge, type MergeCandidate, type MergeFailure } from './merge.ts'
import { prepareMerge } from './prepare-merge.ts'
import type { MergeOptions, PreparedMerge } from './prepared-merge.ts'

const MOVED = 'a branch moved while the merge was being checked'

/**
 * Stores the candidate of a merge and drops the one before it, if there is one. If another request stored a candidate
 * first, that one stays.
 */
export async function storeMerge(
  needs: LandingNeeds,
  job: Job,
  { onto, merged }: Extract<PreparedMerge, { type: 'commit' }>,
  { replaced, ...wishes }: MergeOptions & { readonly replaced?: MergeCandidate },
): Promise<void> {
  await needs.store.withJob(job.id, async (records, locked) => {
    if (replaced !== undefined) {
      const outcome = { type: 'dropped', reason: MOVED } as const
      if (!(await endCandidate(needs, records, locked, replaced, outcome))) return
    }
    if ((await records.candidates.listOpen(locked.id)).some(isMerge)) return
    const tries = (replaced?.purpose.tries ?? 0) + 1
    const purpose = { type: 'merge', tries, ...wishes } as const
    await insertCandidate(needs, records, { job: locked, purpose, onto, merged })
  })
}

/** Builds and checks a merge again because one of its branches has moved, up to a limit. */
export async function restartMerge(
  needs: LandingNeeds,
  job: Job,
  candidate: MergeCandidate,
): Promise<boolean> {
  const { tries, withTaskList = false, withUncommitted = false, squash = false } = candidate.purpose
  if (tries >= RETRY_LIMITS.mergeRebuilds) {
    return refuseMerge(
      needs,
      candidate,
      `${MOVED}, ${tries} times in a row; try again when no one is pushing`,
    )
  }
  const options = { withTaskList, withUncommitted, squash }
  const prepared = await prepareMerge(needs, job, options)
  if (!prepared.ok) return refuseMerge(needs, candidate, prepared.failure)
  // Someone merged the two branches meanwhile, so there is nothing left to check.
  if (prepared.value.type !== 'commit') return refuseMerge(needs, candidate, `${MOVED}; merge again`)
  await storeMerge(needs, job, prepared.value, { ...options, replaced: candidate })
  return true
}

/** Ends a merge that is impossible. Its row keeps the reason. */
export async function refuseMerge(
  needs: LandingNeeds,
  candidate: MergeCandidate,
  why: string | MergeFailure,
): Promise<boolean> {
  const reason = typeof why === 'string' ? why : describeMergeFailure(why)
  return withCandidate(needs, candidate, (records, job) =>
    endCandidate(needs, records, job, candidate, { type: 'refused', reason }),
  )
}
