import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { LandingNeeds } from '../landing/landing-needs.ts'
import { advanceMerge } from './advance-merge.ts'
import { fastForward } from './fast-forward.ts'
import { isOfMerge, type Merge, type MergeFailure } from './merge.ts'
import { prepareMerge } from './prepare-merge.ts'
import { mergeOf, readMerge } from './read-merge.ts'
import { replaceCandidate } from './replace-candidate.ts'

/** How often a base branch that moves under a fast-forward is tried again. */
const MAX_TRIES = 3

/**
 * Brings what a job has landed into the base branch of the person's repository: forward where that is possible, and
 * otherwise by a merge that the checks pass on first. Asked for again it is the same merge.
 */
export async function mergeJob(needs: LandingNeeds, jobId: JobId): Promise<Result<Merge, MergeFailure>> {
  const job = await needs.store.read.jobs.find(jobId)
  if (job === undefined) return failure({ type: 'job-not-found', jobId })
  const landings = await needs.store.read.landings.listOfJob(jobId)
  if (!landings.some(({ state }) => state.type === 'landed'))
    return failure({ type: 'nothing-landed', jobId })
  const open = await needs.store.read.candidates.listOpen(jobId)
  if (open.some((candidate) => isOfMerge(candidate, job))) return goOn(needs, job)
  return begin(needs, job)
}

async function begin(needs: LandingNeeds, job: Job, tries = 1): Promise<Result<Merge, MergeFailure>> {
  const prepared = await prepareMerge(needs, job)
  if (!prepared.ok) return prepared
  const merge = prepared.value
  if (merge.type === 'contained') {
    return success(mergeOf(job, { type: 'merged', commit: merge.base, hasMoved: false }))
  }
  if (merge.type === 'commit') {
    await replaceCandidate(needs, job, merge)
    return goOn(needs, job)
  }
  const forward = await fastForward(needs, job, merge)
  if (forward.ok) return success(mergeOf(job, forward.value))
  const isMoving = forward.failure.type === 'branch-diverged' && forward.failure.branch === job.baseBranch
  return isMoving && tries < MAX_TRIES ? begin(needs, job, tries + 1) : forward
}

async function goOn(needs: LandingNeeds, job: Job): Promise<Result<Merge, MergeFailure>> {
  await advanceMerge(needs, job.id)
  const merge = await readMerge(needs, job)
  if (merge.state.type !== 'merged') return success(merge)
  return success({ ...merge, state: { ...merge.state, hasMoved: true } })
}
