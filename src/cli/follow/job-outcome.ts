import type { ApiError, MusterClient } from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import type { WireJob } from '../../contract/job.ts'
import type { WireTask } from '../../contract/task.ts'
import { type Result, success } from '../../domain/result.ts'

export type JobOutcome = { readonly job: WireJob; readonly tasks: readonly WireTask[] }

/** Reads a job and all its tasks, in the order in which they were found. */
export async function readJobOutcome(
  client: MusterClient,
  jobId: string,
): Promise<Result<JobOutcome, ApiError>> {
  const job = await client.getJob(jobId)
  if (!job.ok) return job
  const tasks = await readAll((page) => client.listTasks({ job: jobId, ...page }))
  return tasks.ok ? success({ job: job.value, tasks: tasks.value }) : tasks
}
