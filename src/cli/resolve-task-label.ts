import type { MusterClient } from '../client/index.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { apiProblem } from './api-problem.ts'
import { EXIT } from './exit-code.ts'
import { readAll } from './follow/job-outcome.ts'
import type { Problem } from './problem.ts'
import { taskLabel } from './render/task/task-label.ts'
import { type Here, newestJob } from './repository/newest-job.ts'

const PAGE = 200
/** As commands print it, t1-2, and as the task list does, 1.2. */
const LABEL = /^(?:t(\d{1,6})-|(\d{1,6})\.)(\d{1,6})$/

/** Whether a text has the form of a task's short name. */
export function isTaskLabel(text: string): boolean {
  return LABEL.test(text)
}

/** The id of the task that goes by this short name in the newest job of where the person is. */
export async function resolveTaskLabel(
  client: MusterClient,
  label: string,
  here: Here,
): Promise<Result<string, Problem>> {
  const newest = await newestJob(client, here)
  if (!newest.ok) return failure(apiProblem(newest.failure))
  const job = newest.value
  if (job === undefined) return failure(noTask(label, 'there is no job yet', 'muster list jobs'))
  const tasks = await readAll((cursor) => client.listTasks({ job: job.id, limit: PAGE, cursor }))
  if (!tasks.ok) return failure(apiProblem(tasks.failure))
  const wanted = label.replace(LABEL, 't$1$2-$3')
  const found = tasks.value.find((task) => taskLabel(task) === wanted)
  if (found !== undefined) return success(found.id)
  return failure(
    noTask(
      label,
      `the newest job is ${job.id}; for another one give the task's id`,
      `muster list tasks --job ${job.id}`,
    ),
  )
}

function noTask(label: string, why: string, next: string): Problem {
  return { type: 'id-unknown', exitCode: EXIT.usage, message: `there is no task ${label}`, why, next }
}
