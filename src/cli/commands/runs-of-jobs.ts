import type { MusterClient, WireJobSummary, WireRun, WireTask } from '../../client/index.ts'
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
  const statuses = await landingTasks(client, runs)
  const standings = new Map<string, string>()
  for (const { id, jobId, taskId, end, endedAt } of runs) {
    if (endedAt === undefined && paused.has(jobId)) standings.set(id, 'paused')
    const landing = end === 'land' ? landingWord(statuses.get(taskId)) : undefined
    if (landing !== undefined) standings.set(id, landing)
  }
  return standings
}

function landingWord(status: WireTask['status'] | undefined): string | undefined {
  if (status === undefined) return undefined
  if (status === 'completed') return 'landed'
  return status === 'landing' ? 'landing' : 'not landed'
}

/** The tasks whose runs have work to land, with their status. */
async function landingTasks(
  client: Client,
  runs: readonly WireRun[],
): Promise<ReadonlyMap<string, WireTask['status']>> {
  const jobs = new Set(runs.filter(({ end }) => end === 'land').map(({ jobId }) => jobId))
  const tasks = await Promise.all(
    [...jobs].map((job) => readAll((page) => client.listTasks({ job, ...page }))),
  )
  return new Map(tasks.flatMap((read) => (read.ok ? read.value : [])).map(({ id, status }) => [id, status]))
}
