import type { Attempt } from '../../domain/attempt/attempt.ts'
import { attemptRulesOf, taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Task } from '../../domain/task/task.ts'
import { findJob, type JobNotFound, type NotFound, type Reads } from './find-record.ts'
import { type Page, type PageInput, pageOf } from './page.ts'

export type CyclesInput = PageInput & { readonly job: string }

/** `sessionId`: the session of the newest attempt, which for the cycle itself is one at its discovery. */
export type CycleView = {
  readonly cycle: Cycle
  readonly sessionId: SessionId | undefined
  readonly tasks: readonly { readonly task: Task; readonly sessionId: SessionId | undefined }[]
}

/** A job's cycles, oldest first. */
export async function listCycles(
  needs: Reads,
  { job: jobText, ...page }: CyclesInput,
): Promise<Result<Page<Cycle>, JobNotFound>> {
  const job = await findJob(needs, jobText)
  if (!job.ok) return job
  return success(pageOf(await needs.store.read.cycles.listOf(job.value.id), page))
}

/** One cycle of a job with its tasks. */
export async function showCycle(
  needs: Reads,
  input: { readonly job: string; readonly number: number },
): Promise<Result<CycleView, JobNotFound | NotFound>> {
  const job = await findJob(needs, input.job)
  if (!job.ok) return job
  const { cycles, tasks, attempts } = needs.store.read
  const cycle = await cycles.findNumber(job.value.id, input.number)
  if (cycle === undefined) return failure(cycleNotFound(job.value, input.number))
  const own = await tasks.listOfCycle(cycle.id)
  const [discovery, tries] = await Promise.all([
    attempts.listOfDiscovery(cycle.id),
    attempts.listOfTasks(own.map(({ id }) => id)),
  ])
  return success({
    cycle,
    sessionId: newestSession(discovery),
    tasks: own.map((task) => ({ task, sessionId: newestSession(tries.filter((each) => isAt(each, task))) })),
  })
}

function cycleNotFound({ id }: Job, number: number): NotFound {
  return { type: 'not-found', what: 'cycle', id: String(number), jobId: id }
}

function isAt(attempt: Attempt, { id }: Task): boolean {
  return attemptRulesOf(attempt).makesWork && taskIdOf(attempt) === id
}

function newestSession(attempts: readonly Attempt[]): SessionId | undefined {
  return attempts.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime()).at(-1)
    ?.sessionId
}
