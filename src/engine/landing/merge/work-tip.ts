import type { Job } from '../../../domain/job/job.ts'
import { TASK_LIST_FILE } from '../../../domain/task/task-list-file.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { hasTaskList } from './leave-task-list.ts'

type Needs = Pick<LandingNeeds, 'store' | 'history'>

/** The newest commits that are worth a comparison. Usually, the first is the one. */
const MOST_COMPARED = 5

/**
 * The last commit of the working branch before Muster's own task lists: everything after it changed only that file. A
 * merge ends there, so that the base branch gets exactly what was checked, and no commit about a file that it doesn't
 * get. Returns `head` if there is no such commit: task lists between landings are in the history of later work.
 */
export async function workTip(needs: Needs, job: Job, base: string, head: string): Promise<string> {
  if (job.plan.taskList === 'none') return head
  const candidates = await needs.store.read.candidates.listOfJob(job.id)
  const landed = candidates
    .filter(({ state }) => state.type === 'landed')
    .toSorted((one, other) => (other.endedAt?.getTime() ?? 0) - (one.endedAt?.getTime() ?? 0))
  for (const { commit } of landed.slice(0, MOST_COMPARED)) {
    if (await isWorkTip(needs, job, { base, head, commit })) return commit
  }
  return head
}

type Ends = { readonly base: string; readonly head: string; readonly commit: string }

async function isWorkTip(needs: Needs, job: Job, { base, head, commit }: Ends): Promise<boolean> {
  const { history } = needs
  if (!(await history.isAncestor(job.projectId, commit, head))) return false
  const after = await history.diff(job.projectId, commit, head, 0)
  if (
    !after.ok ||
    !after.value.files.every(({ path, from }) => (from ?? path) === TASK_LIST_FILE && path === TASK_LIST_FILE)
  )
    return false
  return !(await hasTaskList({ history }, job, base, commit))
}
