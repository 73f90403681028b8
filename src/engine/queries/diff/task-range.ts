import type { Attempt } from '../../../domain/attempt/attempt.ts'
import type { Job } from '../../../domain/job/job.ts'
import { landingIdsOf } from '../../../domain/landing/candidate.ts'
import type { Landing } from '../../../domain/landing/landing.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { findRecord } from '../find-record.ts'
import type { DiffFailure, DiffNeeds, DiffRange } from './work-diff.ts'

/** What a task changes: what landed of it, or else the work that was accepted or pinned last. */
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
  const tries = attempts.filter(({ purpose }) => purpose.type === 'task')
  const landed = landings.findLast(({ state }) => state.type === 'landed')
  const to = landed?.tip ?? chosenTip(tries)
  if (to === undefined) {
    return failure({ type: 'no-work', subject: id, problem: 'no attempt at it has left anything yet' })
  }
  const from = await findBase(needs, job, { tries, landed, tip: to })
  return success({ projectId: job.projectId, from, to })
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
