import type { Job } from '../../../domain/job/job.ts'
import { isJobFinished } from '../../../domain/job/job-state.ts'
import type { Candidate } from '../../../domain/landing/candidate.ts'
import type { Records } from '../../../ports/store/store.ts'
import { describeFailure } from '../../describe-failure.ts'
import { withCandidate } from '../candidate/store-candidate.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { openChain } from '../queue/load-queue.ts'
import { isAllowed } from './ask-person.ts'
import { endCandidate, JOB_ENDED } from './end-candidate.ts'
import { dropCandidates } from './refuse-candidate.ts'

/**
 * Moves the branch to a checked candidate by compare-and-swap. If the branch has moved, the whole chain is built
 * again.
 */
export async function landCandidate(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  await requireCheckedTree(needs, job, candidate)
  needs.crash.reach('landing.after-checks')
  return withCandidate(needs, candidate, async (records, locked) => {
    // Under the job's lock, a cancel happens before the move or after it, never in between.
    const hasLanded =
      (await moveBranch(needs, records, locked, candidate)) || (await isLanded(needs, locked, candidate))
    needs.crash.reach('landing.after-ref')
    if (hasLanded) return endCandidate(needs, records, locked, candidate, { type: 'landed' })
    if (isJobFinished(locked.state)) return endCandidate(needs, records, locked, candidate, JOB_ENDED)
    return dropCandidates(needs, records, locked, await openChain(records, locked), 'the branch moved')
  })
}

/** The invariant of every landing: the tree that lands is the tree that was checked. */
export async function requireCheckedTree(
  { history }: Pick<LandingNeeds, 'history'>,
  { projectId }: Job,
  { commit, tree: checked }: Candidate,
): Promise<void> {
  const tree = await history.treeOf(projectId, commit)
  if (tree !== checked) throw new Error(`commit ${commit} has tree ${tree}, but ${checked} was checked`)
}

/** False if the job has ended, no one has allowed the landing, or someone else moved the branch. */
async function moveBranch(
  needs: LandingNeeds,
  records: Records,
  job: Job,
  candidate: Candidate,
): Promise<boolean> {
  if (isJobFinished(job.state) || !(await isAllowed(records, job, candidate))) return false
  const moved = await needs.branches.move(job.projectId, candidate.branch, candidate.commit, candidate.onto)
  if (!moved.ok && moved.failure.type !== 'branch-moved') {
    throw new Error(`branch not moved: ${describeFailure(moved.failure)}`)
  }
  return moved.ok
}

/** The process may have died after the branch moved, so git decides what landed. */
async function isLanded(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  const tip = await needs.branches.tip(job.projectId, candidate.branch)
  return tip !== undefined && (await needs.history.isAncestor(job.projectId, candidate.commit, tip))
}
