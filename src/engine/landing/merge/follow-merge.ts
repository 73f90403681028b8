import type { Job } from '../../../domain/job/job.ts'
import type { DeliveryFailure } from '../../../domain/repository/repository-failure.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { workTip } from './work-tip.ts'

type Needs = Pick<LandingNeeds, 'store' | 'branches' | 'history' | 'commits'>

/** A commit that the base branch gets, and what it was made of. */
export type MergeResult = {
  readonly onto: string
  readonly commit: string
  readonly withTaskList: boolean
}

/**
 * Moves the working branch to a commit that contains this merge, under the job's lock, as the merge queue does. So the
 * person's repository gets the merge with the next delivery, and what lands later builds on it. `elsewhere`: the job
 * has landed more work meanwhile, which was not part of the merge.
 */
export async function followMerge(
  needs: Needs,
  job: Job,
  merge: MergeResult,
): Promise<'there' | 'elsewhere' | DeliveryFailure> {
  const { branches, history } = needs
  const { projectId, workingBranch } = job
  const tip = await branches.tip(projectId, workingBranch)
  if (tip === undefined) return 'elsewhere'
  if (await history.isAncestor(projectId, merge.commit, tip)) return 'there'
  const isForward = await history.isAncestor(projectId, tip, merge.commit)
  const to = isForward ? merge.commit : await joinHistories(needs, job, merge, tip)
  if (to === undefined) return 'elsewhere'
  const moved = await branches.move(projectId, workingBranch, to, tip)
  if (moved.ok) return 'there'
  return moved.failure.type === 'branch-moved' ? 'elsewhere' : moved.failure
}

/** The merge left out task lists, or all history, so a commit with both parents brings it to the working branch. */
async function joinHistories(
  needs: Needs,
  job: Job,
  { onto, commit, withTaskList }: MergeResult,
  tip: string,
): Promise<string | undefined> {
  const { history, commits } = needs
  const { projectId, baseBranch, workingBranch } = job
  const work = withTaskList ? tip : await workTip(needs, job, onto, tip)
  const again = await commits.mergeBatch(projectId, { onto, tips: [work], messageOf: () => 'Compare' })
  if (!again.ok || again.value.tree !== (await history.treeOf(projectId, commit))) return undefined
  const message = `Merge ${baseBranch} into ${workingBranch}\n\nMuster-Job: ${job.id}\n`
  const joined = await commits.commitTree(projectId, { from: commit, parents: [tip, commit], message })
  return joined.ok ? joined.value : undefined
}
