import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { RecoveryFailure } from '../../domain/cleanup/cleanup-failure.ts'
import { type JobId, parseId, type RunId } from '../../domain/id.ts'
import { isBranchName } from '../../domain/job/branch-name.ts'
import type { DeliveryFailure, SourceFailure } from '../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import { taskName } from '../../domain/task/task-name.ts'
import { findResult, findResultOfTask } from '../runs/find-result.ts'
import type { PinnedNeeds } from './list-pinned-work.ts'
import { findWorkOfJob, findWorkOfSession, type PinnedWork } from './pinned-work.ts'

export type RestoredWork = {
  readonly work: PinnedWork
  readonly branch: string
  /** False if the branch was there already, at exactly this work. */
  readonly isNew: boolean
}

export type RestoreFailure = RecoveryFailure | SourceFailure | DeliveryFailure

const SUFFIX_LENGTH = 5

export type RestoreOptions = {
  /** The name of the new branch. */
  readonly branch?: string | undefined
  /** Also work that was refused. */
  readonly withRefusedWork?: boolean | undefined
}

/**
 * Makes pinned work a branch of the person's repository. `id` names an attempt, a session, or a run or task, of which
 * the result is meant, or the newest work if there is no result. An existing branch is never moved.
 */
export async function restoreWork(
  needs: PinnedNeeds,
  id: string,
  options: RestoreOptions = {},
): Promise<Result<RestoredWork, RestoreFailure>> {
  const work = await findWork(needs, id)
  if (work === undefined) return failure({ type: 'pin-not-found', id })
  const branch = options.branch ?? branchFor(work)
  if (!isBranchName(branch)) return failure({ type: 'recovery-branch-invalid', branch })
  const source = await needs.branches.reopenSource(work.repositoryPath)
  if (!source.ok) return source
  const taken = await needs.branches.findTaken(work.projectId, source.value, branch)
  if (taken !== undefined) {
    // A person who asks again gets the same answer.
    const isSame = (await needs.branches.tipIn(work.repositoryPath, branch)) === work.commit
    return isSame
      ? success({ work, branch, isNew: false })
      : failure({ type: 'recovery-branch-taken', branch: taken })
  }
  const { refusal } = work
  if (refusal !== undefined && options.withRefusedWork !== true) {
    return failure({ type: 'work-refused', id: work.id, reason: refusal })
  }
  const delivered = await needs.branches.deliver(work.projectId, work.repositoryPath, branch, work.commit)
  if (!delivered.ok) return delivered
  await needs.store.transact((records) =>
    records.note({
      audit: {
        actor: 'person',
        action: 'work-restore',
        subject: work.id,
        detail: { branch, isRefused: refusal !== undefined },
      },
    }),
  )
  return success({ work, branch, isNew: true })
}

async function findWork(needs: PinnedNeeds, id: string): Promise<PinnedWork | undefined> {
  const { read } = needs.store
  const sessionId = parseId('session', id)
  const session = sessionId === undefined ? undefined : await read.sessions.find(sessionId)
  if (session !== undefined) return await findLeftBy(needs, session)
  const { jobId, attempts, result } = await findOwner(needs, id)
  const job = jobId === undefined ? undefined : await read.jobs.find(jobId)
  const pins = job === undefined ? undefined : await needs.pins.list(job.projectId)
  if (job === undefined || pins?.ok !== true) return undefined
  const own = pins.value.filter((pin) => attempts.some((attempt) => attempt.id === pin.id))
  const works = await findWorkOfJob(needs, job, own)
  const chosen = works.find(({ commit }) => commit === result)
  return chosen ?? works.find(({ fate }) => fate === 'unlanded') ?? works[0]
}

async function findLeftBy(needs: PinnedNeeds, session: Session): Promise<PinnedWork | undefined> {
  if (session.purpose.type !== 'personal') return undefined
  const pins = await needs.pins.list(session.purpose.projectId)
  const pin = pins.ok ? pins.value.find(({ id }) => id === session.id) : undefined
  return pin === undefined ? undefined : (await findWorkOfSession(needs, session, pin))[0]
}

type Owner = {
  readonly jobId?: JobId | undefined
  readonly attempts: readonly Attempt[]
  /** The commit that a run came to. */
  readonly result?: string | undefined
}

/** The attempt that an id names, or all attempts at the task or in the run that it names. */
async function findOwner({ store: { read } }: PinnedNeeds, id: string): Promise<Owner> {
  const attemptId = parseId('attempt', id)
  const attempt = attemptId === undefined ? undefined : await read.attempts.find(attemptId)
  if (attempt !== undefined) return { jobId: attempt.jobId, attempts: [attempt] }
  const runId = parseId('run', id)
  const run = runId === undefined ? undefined : await read.runs.find(runId)
  const taskId = run?.taskId ?? parseId('task', id)
  const attempts = taskId === undefined ? [] : await read.attempts.listOfTask(taskId)
  if (run !== undefined) {
    const result = (await findResult(read, run.id))?.commit
    // What a run took from another one, or a run within it made, is the work of other attempts.
    const own = attempts.filter(
      ({ purpose, tip }) => isOf(purpose, run.id) || (tip !== undefined && tip === result),
    )
    return { jobId: run.jobId, attempts: own, result }
  }
  const result = taskId === undefined ? undefined : (await findResultOfTask(read, taskId))?.commit
  return { jobId: attempts[0]?.jobId, attempts, result }
}

function isOf(purpose: Attempt['purpose'], runId: RunId): boolean {
  return purpose.type === 'visit' && purpose.runId === runId
}

/** The same work always gets the same name. */
function branchFor({ id, task }: PinnedWork): string {
  const owner = task === undefined ? '' : `${taskName(task)}-`
  return `muster/recovered-${owner}${id.slice(-SUFFIX_LENGTH)}`
}
