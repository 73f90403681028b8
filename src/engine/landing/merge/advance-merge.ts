import { assertNever } from '../../../domain/assert-never.ts'
import type { JobId } from '../../../domain/id.ts'
import type { Job } from '../../../domain/job/job.ts'
import { withCandidate } from '../candidate/store-candidate.ts'
import { judgeCandidate, requireCheckedTree } from '../check/judge-candidate.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { endCandidate } from '../verdict/end-candidate.ts'
import { followMerge } from './follow-merge.ts'
import { isMerge, type MergeCandidate } from './merge.ts'
import { refuseMerge, restartMerge } from './restart-merge.ts'

/** Advances a person's merge as far as its rows allow, even after the job has ended. Does nothing if there is none. */
export async function advanceMerge(needs: LandingNeeds, jobId: JobId): Promise<void> {
  for (;;) {
    const job = await needs.store.read.jobs.find(jobId)
    if (job === undefined) return
    const candidate = (await needs.store.read.candidates.listOpen(jobId)).find(isMerge)
    if (candidate === undefined || !(await advanceOnce(needs, job, candidate))) return
  }
}

/** True if the merge changed, so it must be loaded again. */
async function advanceOnce(needs: LandingNeeds, job: Job, candidate: MergeCandidate): Promise<boolean> {
  const { state } = candidate
  switch (state.type) {
    case 'checking':
      return judgeCandidate(needs, job, candidate, state)
    case 'passed':
    // The person who merges is the one who would be asked.
    case 'asking':
    case 'allowed':
      return landMerge(needs, job, candidate)
    case 'failed':
      return refuseMerge(needs, candidate, state.reason)
    case 'landed':
    case 'dropped':
      return false
    default:
      return assertNever(state)
  }
}

/**
 * Moves the base branch to a merge that passed its checks. If the base branch is checked out, the working branch
 * moves to the merge instead, and the person fast-forwards. After a crash, a second run finds what was done.
 */
async function landMerge(needs: LandingNeeds, job: Job, candidate: MergeCandidate): Promise<boolean> {
  await requireCheckedTree(needs, job, candidate)
  const { commit, onto } = candidate
  const delivered = await needs.branches.deliver(
    job.projectId,
    job.repositoryPath,
    job.baseBranch,
    commit,
    onto,
  )
  if (delivered.ok) {
    if (candidate.purpose.squash === true) await keepSquash(needs, job, candidate)
    return storeMerged(needs, candidate)
  }
  switch (delivered.failure.type) {
    case 'branch-diverged':
      return restartMerge(needs, job, candidate)
    case 'branch-checked-out':
      return handOver(needs, job, candidate)
    default:
      return refuseMerge(needs, candidate, delivered.failure)
  }
}

/** What the job lands later builds on the squash. If that is impossible, a later merge compares the changes instead. */
async function keepSquash(
  needs: LandingNeeds,
  job: Job,
  { onto, commit, purpose }: MergeCandidate,
): Promise<void> {
  const merge = { onto, commit, withTaskList: purpose.withTaskList === true }
  await needs.store.withJob(job.id, (_, locked) => followMerge(needs, locked, merge))
}

/** Moves the working branch to the merge, in the hub first, so that later deliveries build on it. */
async function handOver(needs: LandingNeeds, job: Job, candidate: MergeCandidate): Promise<boolean> {
  const { onto, commit, purpose } = candidate
  const merge = { onto, commit, withTaskList: purpose.withTaskList === true }
  const moved = await needs.store.withJob(job.id, (_, locked) => followMerge(needs, locked, merge))
  if (moved === undefined) return false
  if (moved === 'elsewhere') return restartMerge(needs, job, candidate)
  if (moved !== 'there') return refuseMerge(needs, candidate, moved)
  const brought = await needs.branches.deliver(job.projectId, job.repositoryPath, job.workingBranch)
  return brought.ok ? storeMerged(needs, candidate) : refuseMerge(needs, candidate, brought.failure)
}

async function storeMerged(needs: LandingNeeds, candidate: MergeCandidate): Promise<boolean> {
  needs.crash.reach('merge.after-delivery')
  return withCandidate(needs, candidate, (records, job) =>
    endCandidate(needs, records, job, candidate, { type: 'landed' }),
  )
}
