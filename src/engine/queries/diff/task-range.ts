import type { Attempt } from '../../../domain/attempt/attempt.ts'
import { attemptRulesOf } from '../../../domain/attempt/attempt-purpose.ts'
import type { Job } from '../../../domain/job/job.ts'
import { landingIdsOf } from '../../../domain/landing/candidate.ts'
import type { Landing } from '../../../domain/landing/landing.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { findResultOfTask } from '../../runs/find-result.ts'
import { findRecord } from '../find-record.ts'
import type { DiffFailure, DiffNeeds, DiffRange } from './work-diff.ts'
import { attemptInProgress } from './work-in-progress.ts'

/**
 * The change of a task: what landed, or what an agent has done so far, or the result of its run, or the last accepted or
 * pinned work.
 */
export async function findTaskRange(needs: DiffNeeds, id: string): Promise<Result<DiffRange, DiffFailure>> {
  const { read } = needs.store
  const task = await findRecord('task', id, (taskId) => read.tasks.find(taskId))
  if (!task.ok) return task
  const [job, attempts, landings] = await Promise.all([
    read.jobs.find(task.value.jobId),
    read.attempts.listOfTask(task.value.id),
    read.landings.listOfTask(task.value.id),
  ])
  if (job === undefined) return failure({ type: 'not-found', what: 'task', id })
  const tries = attempts.filter((attempt) => attemptRulesOf(attempt).makesWork)
  const landed = landings.findLast(({ state }) => state.type === 'landed')
  const last = tries.at(-1)
  if (landed === undefined && last !== undefined) {
    const inProgress = await attemptInProgress(needs, id, job, last)
    if (inProgress !== undefined) return await withTaskBase(needs, job, tries, inProgress)
  }
  const result = landed === undefined ? await findResultOfTask(read, task.value.id) : undefined
  const to = landed?.tip ?? result?.commit ?? chosenTip(tries)
  if (to === undefined) {
    return failure({ type: 'no-work', subject: id, problem: 'no attempt has left any work yet' })
  }
  const from = await findBase(needs, job, { tries, landed, tip: to })
  return success({ projectId: job.projectId, from, to })
}

/** An attempt that revises earlier work shows all of the task's work. */
async function withTaskBase(
  needs: DiffNeeds,
  job: Job,
  tries: readonly Attempt[],
  range: Result<DiffRange, DiffFailure>,
): Promise<Result<DiffRange, DiffFailure>> {
  if (!range.ok) return range
  const from = await findBase(needs, job, { tries, landed: undefined, tip: range.value.to })
  return success({ ...range.value, from })
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
 * The commit where the task's own work begins: the newest one that it shares with the commit it was or would be merged
 * onto. An attempt's base isn't enough, because a revision starts from the work that it revises.
 */
async function findBase(needs: DiffNeeds, job: Job, { tries, landed, tip }: Work): Promise<string> {
  const { branches, history, store } = needs
  const candidates = landed === undefined ? [] : await store.read.candidates.listOfJob(job.id)
  const landing = candidates.findLast(
    (candidate) =>
      landed !== undefined &&
      landingIdsOf(candidate).includes(landed.id) &&
      candidate.state.type === 'landed',
  )
  const onto = landing?.onto ?? (await branches.tip(job.projectId, job.workingBranch)) ?? job.baseCommit
  const shared = await history.mergeBase(job.projectId, onto, tip)
  if (shared !== undefined && shared !== tip) return shared
  return tries.find(({ baseCommit }) => baseCommit !== undefined)?.baseCommit ?? job.baseCommit
}
