import type { Job } from '../../domain/job/job.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { DeliveryFailure } from '../../ports/branches.ts'
import { clearCheck } from '../landing/clear-check.ts'
import type { LandingNeeds } from '../landing/landing-needs.ts'
import { storeCandidate, withCandidate } from '../landing/store-candidate.ts'
import { refuseMerge } from './refuse-merge.ts'
import { restartMerge } from './restart-merge.ts'

/**
 * Brings a merge that passed its checks into the base branch. Where that one is checked out, the working branch goes
 * forward to it instead, and the person follows. Done again after a death it finds what was done.
 */
export async function landMerge(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  const { projectId, repositoryPath, baseBranch } = job
  const tree = await needs.history.treeOf(projectId, candidate.commit)
  if (tree !== candidate.tree) {
    throw new Error(`commit ${candidate.commit} has tree ${tree}, checked was ${candidate.tree}`)
  }
  const { commit, onto } = candidate
  const delivered = await needs.branches.deliver(projectId, repositoryPath, baseBranch, commit, onto)
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

/** The working branch goes forward to the merge, in the hub first, so that later deliveries build on it. */
async function handOver(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  const moved = await needs.store.withJob(job.id, (_, locked) => moveWorkingBranch(needs, locked, candidate))
  if (moved === undefined) return false
  if (moved === 'elsewhere') return restartMerge(needs, job, candidate)
  if (moved !== 'there') return refuseMerge(needs, candidate, moved)
  const brought = await needs.branches.deliver(job.projectId, job.repositoryPath, job.workingBranch)
  return brought.ok ? storeMerged(needs, candidate) : refuseMerge(needs, candidate, brought.failure)
}

/** Under the job's lock, as the merge queue moves it. */
async function moveWorkingBranch(
  { branches, history }: LandingNeeds,
  { projectId, workingBranch }: Job,
  { commit }: Candidate,
): Promise<'there' | 'elsewhere' | DeliveryFailure> {
  const tip = await branches.tip(projectId, workingBranch)
  if (tip === undefined) return 'elsewhere'
  if (await history.isAncestor(projectId, commit, tip)) return 'there'
  // The job landed more meanwhile, which is not in what was checked.
  if (!(await history.isAncestor(projectId, tip, commit))) return 'elsewhere'
  const moved = await branches.move(projectId, workingBranch, commit, tip)
  if (moved.ok) return 'there'
  return moved.failure.type === 'branch-moved' ? 'elsewhere' : moved.failure
}

async function storeMerged(needs: LandingNeeds, candidate: Candidate): Promise<boolean> {
  needs.crash.reach('merge.after-delivery')
  const stored = await withCandidate(needs, candidate, (records) =>
    storeCandidate(needs, records, candidate.id, {
      event: { type: 'branch-moved' },
      // The queue may have been built on where the working branch was.
      follow: [{ type: 'landing-advance', jobId: candidate.jobId }],
    }),
  )
  await clearCheck(needs, candidate)
  return stored
}
