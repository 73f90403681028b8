import type { Job } from '../../domain/job/job.ts'
import { isJobOver } from '../../domain/job/job-state.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import type { LandingState } from '../../domain/landing/landing-state.ts'
import { describeFailure } from '../describe-failure.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { treeOfCheck } from './start-check.ts'
import { type LandingMove, storeLanding } from './store-landing.ts'

type Checked = Extract<LandingState, { type: 'checked' }>

/** Lands what was checked: the branch moves by compare-and-swap, or the landing starts over. */
export async function moveWorkingBranch(
  needs: LandingNeeds,
  job: Job,
  landing: Landing,
  state: Checked,
): Promise<boolean> {
  const tree = await needs.hub.treeOf(job.projectId, state.commit)
  if (tree !== state.tree)
    throw new Error(`commit ${state.commit} has tree ${tree}, checked was ${state.tree}`)
  needs.crash.reach('landing.after-checks')
  const { commit } = state
  const result = await resultOf(needs, landing)
  const stored = await storeLanding(needs, landing, async (locked) => {
    // Under the job's lock: a cancel comes before the move or after it, never in between.
    const hasLanded = (await moveOrRefuse(needs, locked, state)) || (await isLanded(needs, locked, state))
    needs.crash.reach('landing.after-ref')
    if (hasLanded) return landedMove(landing, state, result)
    if (isJobOver(locked.state)) return refusedMove('the job ended before it could land')
    return {
      event: { type: 'branch-lost' },
      notice: { type: 'landing_queued', data: { again: 'the branch moved meanwhile' } },
    }
  })
  // Usually gone since the last check; a death in between leaves it to us.
  await needs.hub.removeTree(treeOfCheck(needs, landing, commit))
  return stored
}

function landedMove(landing: Landing, state: Checked, result: Record<string, unknown>): LandingMove {
  const { commit, tree } = state
  return {
    event: { type: 'branch-moved' },
    notice: { type: 'landing_landed', data: { commit, tree, checks: landing.checks.length } },
    task: {
      event: { type: 'landing-end', commit },
      notice: { type: 'task_completed', data: { commit, ...result } },
    },
  }
}

function refusedMove(reason: string): LandingMove {
  return {
    event: { type: 'landing-reject', reason },
    notice: { type: 'landing_rejected', data: { reason } },
    task: {
      event: { type: 'task-skip', reason },
      notice: { type: 'task_failed', data: { status: 'skipped', error: reason } },
    },
  }
}

/** Moves the branch of a job that goes on; false when it is over or somebody else moved the branch. */
async function moveOrRefuse(needs: LandingNeeds, job: Job, state: Checked): Promise<boolean> {
  if (isJobOver(job.state)) return false
  const moved = await needs.hub.moveBranch(job.projectId, job.workingBranch, state.commit, state.onto)
  if (!moved.ok && moved.failure.type !== 'branch-moved') {
    throw new Error(`branch not moved: ${describeFailure(moved.failure)}`)
  }
  return moved.ok
}

/** A refused move may be our own from before a death: git is the truth about what landed. */
async function isLanded(needs: LandingNeeds, job: Job, state: Checked): Promise<boolean> {
  const tip = await needs.hub.branchTip(job.projectId, job.workingBranch)
  return tip !== undefined && (await needs.hub.isAncestor(job.projectId, state.commit, tip))
}

async function resultOf(needs: LandingNeeds, landing: Landing): Promise<Record<string, unknown>> {
  const task = await needs.store.read.tasks.find(landing.taskId)
  return { summary: task?.resultSummary, filesModified: task?.filesModified ?? [] }
}
