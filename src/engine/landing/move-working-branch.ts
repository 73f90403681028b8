import type { Job } from '../../domain/job/job.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import type { LandingState } from '../../domain/landing/landing-state.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { treeOfCheck } from './start-check.ts'
import { storeLanding } from './store-landing.ts'

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
  const moved = await needs.hub.moveBranch(job.projectId, job.workingBranch, state.commit, state.onto)
  if (!moved.ok && moved.failure.type !== 'branch-moved') {
    throw new Error(`branch not moved: ${JSON.stringify(moved.failure)}`)
  }
  needs.crash.reach('landing.after-ref')
  if (!moved.ok && !(await hasLanded(needs, job, state))) {
    return storeLanding(needs, landing, {
      event: { type: 'branch-lost' },
      notice: { type: 'landing_queued', data: { again: 'the branch moved meanwhile' } },
    })
  }
  const { commit } = state
  const landed = await storeLanding(needs, landing, {
    event: { type: 'branch-moved' },
    notice: { type: 'landing_landed', data: { commit, tree: state.tree, checks: landing.checks.length } },
    task: {
      event: { type: 'landing-end', commit },
      notice: { type: 'task_completed', data: { commit, ...(await resultOf(needs, landing)) } },
    },
  })
  // Usually gone since the last check; a death in between leaves it to us.
  await needs.hub.removeTree(treeOfCheck(needs, landing, commit))
  return landed
}

/** A refused move may be our own from before a death: git is the truth about what landed. */
async function hasLanded(needs: LandingNeeds, job: Job, state: Checked): Promise<boolean> {
  const tip = await needs.hub.branchTip(job.projectId, job.workingBranch)
  return tip !== undefined && (await needs.hub.isAncestor(job.projectId, state.commit, tip))
}

async function resultOf(needs: LandingNeeds, landing: Landing): Promise<Record<string, unknown>> {
  const task = await needs.store.read.tasks.find(landing.taskId)
  return { summary: task?.resultSummary, filesModified: task?.filesModified ?? [] }
}
