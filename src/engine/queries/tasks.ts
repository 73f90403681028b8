import type { Attempt } from '../../domain/attempt/attempt.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Task } from '../../domain/task/task.ts'
import { findNamedJob, findRecord, type JobNotFound, type NotFound, type Reads } from './find-record.ts'
import { type LandingView, viewLandings } from './landings.ts'
import { type Page, type PageInput, pageOf, recentCount } from './page.ts'

export type TasksInput = PageInput & { readonly job?: string | undefined }

export type TaskView = {
  readonly task: Task
  readonly attempts: readonly Attempt[]
  readonly landings: readonly LandingView[]
}

/** A job's tasks in the order they were discovered, or the newest of all jobs. */
export async function listTasks(
  needs: Reads,
  { job: jobText, ...page }: TasksInput,
): Promise<Result<Page<Task>, JobNotFound>> {
  const job = await findNamedJob(needs, jobText)
  if (!job.ok) return job
  const { tasks } = needs.store.read
  const found =
    job.value === undefined ? await tasks.listRecent(recentCount(page)) : await tasks.listOfJob(job.value.id)
  return success(pageOf(found, page))
}

/** One task with its attempts and landings. */
export async function showTask(needs: Reads, id: string): Promise<Result<TaskView, NotFound>> {
  const { tasks, attempts, landings, candidates } = needs.store.read
  const task = await findRecord('task', id, (taskId) => tasks.find(taskId))
  if (!task.ok) return task
  const [ofTask, landed, tried] = await Promise.all([
    attempts.listOfTask(task.value.id),
    landings.listOfTask(task.value.id),
    candidates.listOfJob(task.value.jobId),
  ])
  return success({ task: task.value, attempts: ofTask, landings: viewLandings(landed, tried) })
}
