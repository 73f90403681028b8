import type { JobId } from '../../../domain/id.ts'
import { DETACHED, type Job } from '../../../domain/job/job.ts'
import { isJobFinished } from '../../../domain/job/job-state.ts'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { advanceMerge } from './advance-merge.ts'
import { followMerge } from './follow-merge.ts'
import { isMerge, type Merge, type MergeFailure, type MergeState } from './merge.ts'
import { prepareMerge } from './prepare-merge.ts'
import type { MergeOptions } from './prepared-merge.ts'
import { mergeOf, readMerge } from './read-merge.ts'
import { storeMerge } from './restart-merge.ts'

/**
 * Merges what a job has landed into the base branch of the person's repository: by fast-forward if possible, and
 * otherwise by a merge commit that must pass the checks first. A second request continues the same merge.
 */
export async function mergeJob(
  needs: LandingNeeds,
  jobId: JobId,
  options: MergeOptions = {},
): Promise<Result<Merge, MergeFailure>> {
  const job = await needs.store.read.jobs.find(jobId)
  if (job === undefined) return failure({ type: 'job-not-found', jobId })
  const landings = await needs.store.read.landings.listOfJob(jobId)
  if (!landings.some(({ state }) => state.type === 'landed'))
    return failure({ type: 'nothing-landed', jobId, hasEnded: isJobFinished(job.state) })
  if (job.baseBranch === DETACHED)
    return failure({ type: 'base-detached', jobId, workingBranch: job.workingBranch })
  if ((await needs.store.read.candidates.listOpen(jobId)).some(isMerge)) return advance(needs, job)
  return begin(needs, job, options)
}

async function begin(
  needs: LandingNeeds,
  job: Job,
  options: MergeOptions,
  tries = 1,
): Promise<Result<Merge, MergeFailure>> {
  const prepared = await prepareMerge(needs, job, options)
  if (!prepared.ok) return prepared
  const merge = prepared.value
  if (merge.type === 'contained') {
    return success(mergeOf(job, { type: 'merged', commit: merge.base, hasMoved: false }))
  }
  if (merge.type === 'commit') {
    await storeMerge(needs, job, merge, options)
    return advance(needs, job)
  }
  const forward = await fastForward(needs, job, merge, options)
  if (forward.ok) return success(mergeOf(job, forward.value))
  const isMoving = forward.failure.type === 'branch-diverged' && forward.failure.branch === job.baseBranch
  return isMoving && tries < RETRY_LIMITS.fastForwards ? begin(needs, job, options, tries + 1) : forward
}

async function advance(needs: LandingNeeds, job: Job): Promise<Result<Merge, MergeFailure>> {
  await advanceMerge(needs, job.id)
  const merge = await readMerge(needs, job)
  if (merge.state.type !== 'merged') return success(merge)
  return success({ ...merge, state: { ...merge.state, hasMoved: true } })
}

/**
 * Moves the base branch forward to the working branch. If the base branch is checked out, only the working branch is
 * delivered, and its owner fast-forwards to it.
 */
async function fastForward(
  needs: Pick<LandingNeeds, 'branches' | 'store' | 'history' | 'commits'>,
  job: Job,
  { base, tip }: { readonly base: string; readonly tip: string },
  { squash = false, withTaskList = false }: MergeOptions,
): Promise<Result<MergeState, MergeFailure>> {
  const { projectId, repositoryPath, baseBranch, workingBranch } = job
  const follow = () =>
    needs.store.withJob(job.id, (_, locked) =>
      followMerge(needs, locked, { onto: base, commit: tip, withTaskList }),
    )
  const moved = await needs.branches.deliver(projectId, repositoryPath, baseBranch, tip, base)
  if (moved.ok) {
    // What the job lands later builds on the squash. If that is impossible, a later merge compares the changes instead.
    if (squash) await follow()
    // The audit records that a person's branch was moved, but none of its content.
    const audit = { actor: 'person', action: 'job-merge', subject: job.id, detail: { commit: tip } } as const
    await needs.store.transact((records) => records.note({ audit }))
    return success({ type: 'merged', commit: tip, hasMoved: true })
  }
  if (moved.failure.type !== 'branch-checked-out') return moved
  const { at } = moved.failure
  const followed = squash ? await follow() : 'there'
  if (followed === undefined || followed === 'elsewhere')
    return failure({ type: 'branch-diverged', branch: baseBranch })
  if (followed !== 'there') return failure(followed)
  const brought = await needs.branches.deliver(projectId, repositoryPath, workingBranch)
  if (!brought.ok) return failure(brought.failure)
  return success({ type: 'waiting', commit: tip, at })
}
