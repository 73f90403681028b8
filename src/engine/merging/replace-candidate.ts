import type { Job } from '../../domain/job/job.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import { storeDrop } from '../landing/drop-candidates.ts'
import type { LandingNeeds } from '../landing/landing-needs.ts'
import { newCandidate } from '../landing/new-candidate.ts'
import { isOfMerge } from './merge.ts'
import type { PreparedMerge } from './prepare-merge.ts'

type Commit = Extract<PreparedMerge, { type: 'commit' }>

/**
 * Stores the candidate of a merge, in the place of the one before it where there is one. Somebody who was faster has
 * stored theirs, and that one stands.
 */
export async function replaceCandidate(
  needs: LandingNeeds,
  job: Job,
  { onto, merged }: Commit,
  before?: { readonly candidate: Candidate; readonly reason: string },
): Promise<void> {
  await needs.store.withJob(job.id, async (records, locked) => {
    if (before !== undefined) await storeDrop(needs, records, [before.candidate], before.reason)
    const open = await records.candidates.listOpen(locked.id)
    if (open.some((candidate) => isOfMerge(candidate, locked))) return
    await newCandidate(needs, records, {
      job: locked,
      branch: locked.baseBranch,
      landingIds: [],
      onto,
      merged,
    })
  })
}
