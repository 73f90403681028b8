import { assertNever } from '../../../domain/assert-never.ts'
import type { JobId } from '../../../domain/id.ts'
import type { Job } from '../../../domain/job/job.ts'
import type { DeliveryFailure } from '../../../domain/repository/repository-failure.ts'
import { withCandidate } from '../candidate/store-candidate.ts'
import { judgeCandidate, requireCheckedTree } from '../check/judge-candidate.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { endCandidate } from '../verdict/end-candidate.ts'
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
  if (delivered.ok) return storeMerged(needs, candidate)
  switch (delivered.failure.type) {
    case 'branch-diverged':
      return restartMerge(needs, job, candidate)
    case 'branch-checked-out':
      return handOver(needs, job, candidate)
    default:
      return refuseMerge(needs, candidate, delivered.failure)
  }
}

/** Moves the working branch to the merge, in the hub first, so that later deliveries build on it. */
async function handOver(needs: LandingNeeds, job: Job, candidate: MergeCandidate): Promise<boolean> {
  const moved = await needs.store.withJob(job.id, (_, locked) => moveWorkingBranch(needs, locked, candidate))
  if (moved === undefined) return false
  if (moved === 'elsewhere') return restartMerge(needs, job, candidate)
  if (moved !== 'there') return refuseMerge(needs, candidate, moved)
  const brought = await needs.branches.deliver(job.projectId, job.repositoryPath, job.workingBranch)
  return brought.ok ? storeMerged(needs, candidate) : refuseMerge(needs, candidate, brought.failure)
}

/** Moves the working branch under the job's lock, as the merge queue does. */
async function moveWorkingBranch(
  { branches, history }: LandingNeeds,
  { projectId, workingBranch }: Job,
  { commit }: MergeCandidate,
): Promise<'there' | 'elsewhere' | DeliveryFailure> {
  const tip = await branches.tip(projectId, workingBranch)
  if (tip === undefined) return 'elsewhere'
  if (await history.isAncestor(projectId, commit, tip)) return 'there'
  // The job has landed more work meanwhile, which was not part of the check.
  if (!(await history.isAncestor(projectId, tip, commit))) return 'elsewhere'
  const moved = await branches.move(projectId, workingBranch, commit, tip)
  if (moved.ok) return 'there'
  return moved.failure.type === 'branch-moved' ? 'elsewhere' : moved.failure
}

async function storeMerged(needs: LandingNeeds, candidate: MergeCandidate): Promise<boolean> {
  needs.crash.reach('merge.after-delivery')
  return withCandidate(needs, candidate, (records, job) =>
    endCandidate(needs, records, job, candidate, { type: 'landed' }),
  )
}
