import type { MusterClient, WireJob, WireJobSummary, WireRun } from '../../client/index.ts'
import { PAGE_LIMIT } from '../../client/read-all.ts'
import { isComplete } from '../../domain/playbook/route.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { jobTimeMs } from '../render/job/job-words.ts'
import { type HistoryEntry, historyTable } from '../render/run/history-table.ts'
import { displayOf } from '../render/text/display.ts'
import { ofRepository } from '../repository/newest-job.ts'
import { withDaemon } from '../with-daemon.ts'

export type HistoryFlags = { readonly all?: true; readonly limit?: number }

const DEFAULT_LIMIT = 20

/** Lists the jobs and runs that have ended, newest first. A job that only followed a playbook is listed with its run. */
export async function historyCommand(needs: CommandNeeds, flags: HistoryFlags): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const entries = await readHistory(client, needs.surroundings.cwd, flags)
    if (!entries.ok) return entries
    const lines = historyTable(entries.value, needs.surroundings.now(), displayOf(needs))
    return printResult(needs, { items: entries.value }, lines)
  })
}

async function readHistory(
  client: MusterClient,
  cwd: string,
  { all, limit = DEFAULT_LIMIT }: HistoryFlags,
): Promise<Result<readonly HistoryEntry[], Problem>> {
  const [jobs, runs] = await Promise.all([
    client.listJobs({ limit: PAGE_LIMIT }),
    client.listRuns({ limit: PAGE_LIMIT }),
  ])
  if (!jobs.ok) return failure(apiProblem(jobs.failure))
  if (!runs.ok) return failure(apiProblem(runs.failure))
  const own = all === true ? jobs.value.items : await ofRepository(jobs.value.items, cwd)
  const entries = await Promise.all([
    ...newest(own, ({ completedAt }) => completedAt, limit).map((job) =>
      entryOfJob(client, job, runs.value.items),
    ),
    ...newest(runs.value.items, ({ endedAt }) => endedAt, limit)
      .filter(({ jobId }) => own.some(({ id }) => id === jobId))
      .map((run) => entryOfRun(client, run)),
  ])
  const found = entries.filter((entry) => entry !== undefined)
  return success(newest(found, ({ endedAt }) => endedAt, limit))
}

function newest<Item>(
  items: readonly Item[],
  endOf: (item: Item) => string | undefined,
  limit: number,
): readonly Item[] {
  return items
    .filter((item) => endOf(item) !== undefined)
    .toSorted((one, other) => (endOf(other) ?? '').localeCompare(endOf(one) ?? ''))
    .slice(0, limit)
}

/** A job that was deleted in the meantime has no entry. */
async function entryOfJob(
  client: MusterClient,
  { id }: WireJobSummary,
  runs: readonly WireRun[],
): Promise<HistoryEntry | undefined> {
  const job = await client.getJob(id)
  if (!job.ok) return undefined
  const { title, status, completedAt = '', spentUsd, playbook, reason } = job.value
  const run = playbook === undefined ? undefined : runs.find(({ jobId }) => jobId === id)
  return {
    ...{
      id,
      title,
      result: resultOf(job.value, run),
      durationMs: jobTimeMs(job.value, new Date(completedAt)),
      costUsd: spentUsd,
    },
    ...(run === undefined ? {} : { runId: run.id }),
    ...(playbook === undefined ? {} : { playbook: playbook.name }),
    ...(reason === undefined ? {} : { reason }),
    type: 'job',
    status,
    endedAt: completedAt,
  }
}

/** Work that is complete may still not have landed, which only the job knows. */
function resultOf({ status }: Pick<WireJob, 'status'>, run: WireRun | undefined): string {
  const end = run?.end
  return end === undefined || isComplete(end) ? status : end
}

/** The run of a planner's task. The other runs are in the entries of their jobs. */
async function entryOfRun(client: MusterClient, run: WireRun): Promise<HistoryEntry | undefined> {
  const [job, result] = await Promise.all([client.getJob(run.jobId), client.getRunResult(run.id)])
  if (!job.ok || !result.ok || job.value.playbook !== undefined) return undefined
  const { id, playbook, status, end, endedAt = '', reason } = run
  const { goal, durationMs, cost } = result.value
  return {
    ...{ id, playbook, status, endedAt, title: goal.split('\n')[0] ?? '' },
    ...{ type: 'run', runId: id, result: end ?? status, durationMs, costUsd: cost.costUsd },
    ...(reason === undefined ? {} : { reason }),
  }
}
