import type { ApiError, MusterClient, Page } from '../../client/index.ts'
import type { WireJob } from '../../contract/job.ts'
import type { WireTask } from '../../contract/task.ts'
import { type Result, success } from '../../domain/result.ts'

const PAGE = 200
const MOST_PAGES = 50

export type JobOutcome = { readonly job: WireJob; readonly tasks: readonly WireTask[] }

/** A job with all its tasks, in the order they were found. */
export async function readJobOutcome(
  client: MusterClient,
  jobId: string,
): Promise<Result<JobOutcome, ApiError>> {
  const job = await client.getJob(jobId)
  if (!job.ok) return job
  const tasks = await readAll((cursor) => client.listTasks({ job: jobId, limit: PAGE, cursor }))
  if (!tasks.ok) return tasks
  return success({ job: job.value, tasks: tasks.value })
}

/** Every page of a list, up to a bound that no list of one job reaches. */
export async function readAll<Item>(
  readPage: (cursor: string | undefined) => Promise<Result<Page<Item>, ApiError>>,
): Promise<Result<readonly Item[], ApiError>> {
  const items: Item[] = []
  let cursor: string | undefined
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const page = await readPage(cursor)
    if (!page.ok) return page
    items.push(...page.value.items)
    cursor = page.value.nextCursor
    if (cursor === undefined) break
  }
  return success(items)
}
