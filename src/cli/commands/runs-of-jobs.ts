import type { MusterClient, WireJobSummary, WireRun } from '../../client/index.ts'
import { PAGE_LIMIT, readAll } from '../../client/read-all.ts'

type Client = Pick<MusterClient, 'listRuns' | 'getJob' | 'listJobs' | 'listTasks'>

/** The runs of those jobs that only follow a playbook. What can't be read is left out. */
export async function readRunsOfJobs(
  client: Client,
  jobs: readonly Pick<WireJobSummary, 'id'>[],
): Promise<ReadonlyMap<string, WireRun>> {
  const runs = jobs.length === 0 ? undefined : await client.listRuns({ limit: PAGE_LIMIT })
  if (runs?.ok !== true) return new Map()
  const found = await Promise.all(
    jobs.map(async ({ id }) => {
      const run = runs.value.items.find(({ jobId }) => jobId === id)
      const job = run === undefined ? undefined : await client.getJob(id)
      return job?.ok === true && job.value.playbook !== undefined && run !== undefined ? [run] : []
    }),
  )
  return new Map(found.flat().map((run) => [run.jobId, run]))
}

/** What only their jobs know: that a run is paused, and whether its work has landed. */
export async function readStandings(
  client: Client,
  runs: readonly WireRun[],
): Promise<ReadonlyMap<string, string>> {
  const jobs = runs.some(({ endedAt }) => endedAt === undefined)
    ? await client.listJobs({ limit: PAGE_LIMIT, status: 'paused' })
    : undefined
  const paused = new Set(jobs?.ok === true ? jobs.value.items.map(({ id }) => id) : [])
  const landed = await landedTasks(client, runs)
  const standings = new Map<string, string>()
  for (const { id, jobId, taskId, end, endedAt } of runs) {
    if (endedAt === undefined && paused.has(jobId)) standings.set(id, 'paused')
    if (end === 'land' && landed.has(taskId)) standings.set(id, 'landed')
  }
  return standings
}

async function landedTasks(client: Client, runs: readonly WireRun[]): Promise<ReadonlySet<string>> {
  const jobs = new Set(runs.filter(({ end }) => end === 'land').map(({ jobId }) => jobId))
  const tasks = await Promise.all(
    [...jobs].map((job) => readAll((page) => client.listTasks({ job, ...page }))),
  )
  const landed = tasks
    .flatMap((read) => (read.ok ? read.value : []))
    .filter(({ status }) => status === 'completed')
  return new Set(landed.map(({ id }) => id))
}
