import type { Job } from '../../../domain/job/job.ts'
import { isJobOver } from '../../../domain/job/job-state.ts'
import type { Candidate } from '../../../domain/landing/candidate.ts'
import type { Records } from '../../../ports/store/store.ts'
import { describeFailure } from '../../describe-failure.ts'
import { withCandidate } from '../candidate/store-candidate.ts'
import { clearCheck } from '../check/clear-check.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { openChain } from '../queue/load-queue.ts'
import { isAllowed } from './ask-person.ts'
import { endCandidate } from './end-candidate.ts'
import { dropCandidates } from './refuse-candidate.ts'

/** Lands what was checked: the branch moves by compare-and-swap, or everything built on it is merged and checked again. */
export async function landCandidate(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  await requireCheckedTree(needs, job, candidate)
  needs.crash.reach('landing.after-checks')
  const stored = await withCandidate(needs, candidate, async (records, locked) => {
    // Under the job's lock: a cancel comes before the move or after it, never in between.
    const hasLanded =
      (await moveBranch(needs, records, locked, candidate)) || (await isLanded(needs, locked, candidate))
    needs.crash.reach('landing.after-ref')
    if (hasLanded) return endCandidate(needs, records, locked, candidate, { type: 'landed' })
    if (isJobOver(locked.state)) {
      const reason = 'the job ended before it could land'
      return endCandidate(needs, records, locked, candidate, { type: 'abandoned', reason })
    }
    return dropCandidates(needs, records, locked, await openChain(records, locked), 'the branch moved')
  })
  // Usually removed after the last check; a death in between leaves it to us.
  await clearCheck(needs, candidate)
  return stored
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

/** False when the job has ended, no one allowed the landing, or someone else moved the branch. */
async function moveBranch(
  needs: LandingNeeds,
  records: Records,
  job: Job,
  candidate: Candidate,
): Promise<boolean> {
  if (isJobOver(job.state) || !(await isAllowed(records, job, candidate))) return false
  const moved = await needs.branches.move(job.projectId, candidate.branch, candidate.commit, candidate.onto)
  if (!moved.ok && moved.failure.type !== 'branch-moved') {
    throw new Error(`branch not moved: ${describeFailure(moved.failure)}`)
  }
  return moved.ok
}

/** The branch may have moved before a death of this process: git is the truth about what landed. */
async function isLanded(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  const tip = await needs.branches.tip(job.projectId, candidate.branch)
  return tip !== undefined && (await needs.history.isAncestor(job.projectId, candidate.commit, tip))
}
