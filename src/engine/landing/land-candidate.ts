import type { Job } from '../../domain/job/job.ts'
import { isJobOver } from '../../domain/job/job-state.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { Records } from '../../ports/store/store.ts'
import { describeFailure } from '../describe-failure.ts'
import { isAllowed } from './ask-person.ts'
import { clearCheck } from './clear-check.ts'
import { storeDrop } from './drop-candidates.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { openChain } from './open-chain.ts'
import { storeRefusal } from './refuse-candidate.ts'
import { storeBaseOutcome } from './store-base-outcome.ts'
import { storeCandidate, withCandidate } from './store-candidate.ts'
import { type LandingMove, storeLanding } from './store-landing.ts'

/** Lands what was checked: the branch moves by compare-and-swap, or its landings are merged and checked again. */
export async function landCandidate(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  const tree = await needs.history.treeOf(job.projectId, candidate.commit)
  if (tree !== candidate.tree) {
    throw new Error(`commit ${candidate.commit} has tree ${tree}, checked was ${candidate.tree}`)
  }
  needs.crash.reach('landing.after-checks')
  const stored = await withCandidate(needs, candidate, async (records, locked) => {
    // Under the job's lock: a cancel comes before the move or after it, never in between.
    const hasLanded =
      (await moveOrRefuse(needs, records, locked, candidate)) || (await isLanded(needs, locked, candidate))
    needs.crash.reach('landing.after-ref')
    if (hasLanded) return storeLanded(needs, records, locked, candidate)
    if (isJobOver(locked.state)) return storeRefusal(needs, records, candidate)
    // The branch is elsewhere: nothing that was built on where it was will land as it is.
    return storeDrop(needs, records, await openChain(records, locked), 'the branch moved meanwhile')
  })
  // Usually gone since the last check; a death in between leaves it to us.
  await clearCheck(needs, candidate)
  return stored
}

/** Moves the branch of a job that goes on; false when it is over or somebody else moved the branch. */
async function moveOrRefuse(
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

/** A refused move may be our own from before a death: git is the truth about what landed. */
async function isLanded(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  const tip = await needs.branches.tip(job.projectId, candidate.branch)
  return tip !== undefined && (await needs.history.isAncestor(job.projectId, candidate.commit, tip))
}

async function storeLanded(
  needs: LandingNeeds,
  records: Records,
  job: Job,
  candidate: Candidate,
): Promise<boolean> {
  const isStored = await storeCandidate(needs, records, candidate.id, {
    event: { type: 'branch-moved' },
    follow: [
      { type: 'landing-advance', jobId: candidate.jobId },
      // Warm trees are moved to where the branch is now.
      { type: 'trees-warm', projectId: job.projectId },
    ],
  })
  if (!isStored) return false
  for (const landingId of candidate.landingIds) {
    await storeLanding(needs, records, landingId, landedMove(candidate))
  }
  if (candidate.base !== undefined) await storeBaseOutcome(records, job, { commit: candidate.commit })
  return true
}

function landedMove({ id, commit, tree, checks, landingIds }: Candidate): LandingMove {
  return {
    event: { type: 'branch-moved', commit, tree },
    checks,
    notice: {
      type: 'landing_landed',
      data: { candidateId: id, commit, tree, checks: checks.length, together: landingIds.length },
    },
    task: (task) => ({
      event: { type: 'landing-end', commit },
      notice: {
        type: 'task_completed',
        data: { commit, summary: task.resultSummary, filesModified: task.filesModified },
      },
    }),
  }
}
