import type { Cycle } from '../../domain/cycle/cycle.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Task } from '../../domain/task/task.ts'
import { findJob, type JobNotFound, type NotFound, type Reads } from './find-record.ts'
import { type Page, type PageInput, pageOf } from './page.ts'

export type CyclesInput = PageInput & { readonly job: string }

export type CycleView = { readonly cycle: Cycle; readonly tasks: readonly Task[] }

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
  const { cycles, tasks } = needs.store.read
  const cycle = await cycles.findNumber(job.value.id, input.number)
  if (cycle === undefined) return failure({ type: 'not-found', what: 'cycle', id: String(input.number) })
  return success({ cycle, tasks: await tasks.listOfCycle(cycle.id) })
}
