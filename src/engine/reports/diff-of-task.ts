import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { TaskId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import { failure, type Result } from '../../domain/result.ts'
import { readDiff } from './read-diff.ts'
import type { ReportNeeds } from './report-needs.ts'
import type { DiffFailure, WorkDiff } from './work-diff.ts'

/** What a task changes: what landed of it, or else the work that was accepted or pinned last. */
export async function diffOfTask(needs: ReportNeeds, taskId: TaskId): Promise<Result<WorkDiff, DiffFailure>> {
  const { read } = needs.store
  const task = await read.tasks.find(taskId)
  const job = task === undefined ? undefined : await read.jobs.find(task.jobId)
  if (job === undefined) return failure({ type: 'not-found', what: 'task', id: taskId })
  const [attempts, landings] = await Promise.all([
    read.attempts.listOfTask(taskId),
    read.landings.listOfTask(taskId),
  ])
  const tries = attempts.filter(({ purpose }) => purpose.type === 'task')
  const landed = landings.findLast(({ state }) => state.type === 'landed')
  const to = landed?.tip ?? chosenTip(tries)
  if (to === undefined) {
    return failure({ type: 'no-work', subject: taskId, problem: 'no attempt at it has left anything yet' })
  }
  const from = await baseOf(needs, job, { tries, landed, tip: to })
  return readDiff(needs, job, { subject: taskId, from, to })
}

function chosenTip(tries: readonly Attempt[]): string | undefined {
  const isAccepted = ({ state, tip }: Attempt) =>
    tip !== undefined && state.type === 'settled' && state.outcome.type === 'accepted'
  return (tries.findLast(isAccepted) ?? tries.findLast(({ tip }) => tip !== undefined))?.tip
}

type Work = {
  readonly tries: readonly Attempt[]
  readonly landed: Landing | undefined
  readonly tip: string
}

/**
 * Where the task's own work begins: the newest commit it shares with what it was merged onto, or would be. A revision
 * begins at the work it revises, so the base of an attempt alone would leave the rest out.
 */
async function baseOf(needs: ReportNeeds, job: Job, { tries, landed, tip }: Work): Promise<string> {
  const { branches, history, store } = needs
  const candidates = landed === undefined ? [] : await store.read.candidates.listOfJob(job.id)
  const landing = candidates.findLast(
    ({ landingIds, state }) =>
      landed !== undefined && landingIds.includes(landed.id) && state.type === 'landed',
  )
  const onto = landing?.onto ?? (await branches.tip(job.projectId, job.workingBranch)) ?? job.baseCommit
  const shared = await history.mergeBase(job.projectId, onto, tip)
  if (shared !== undefined && shared !== tip) return shared
  return tries.find(({ baseCommit }) => baseCommit !== undefined)?.baseCommit ?? job.baseCommit
}
