import type { MusterClient, Page, WireLanding } from '../../client/index.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { readAll } from '../follow/job-outcome.ts'
import { createTaskNames } from '../follow/task-names.ts'
import type { Outcome } from '../problem.ts'
import { agentTable, jobTable, projectTable, providerTable, taskTable } from '../render/job/record-tables.ts'
import { sessionTable } from '../render/session/session-table.ts'
import { landingTable } from '../render/task/landing-table.ts'
import { lookOf } from '../render/text/look.ts'
import { findRepository } from '../repository/find-repository.ts'
import { newestJob } from '../repository/newest-job.ts'
import { noRepository } from '../repository/no-repository.ts'
import { resolveId } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'
import { JOB_STATUSES, type ListKind, listProblem } from './list-problem.ts'

export type ListFlags = {
  readonly job?: string
  readonly agent?: string
  readonly role?: string
  readonly resumable?: true
  readonly user?: string
  readonly status?: string
  readonly limit?: number
}

const DEFAULT_LIMIT = 50
const PAGE = 200

/** Tables of what the daemon knows, newest first. */
export async function listCommand(needs: CommandNeeds, what: ListKind, flags: ListFlags): Promise<Outcome> {
  const problem = listProblem(what, flags)
  if (problem !== undefined) return failure(problem)
  return withDaemon(needs, async (client) => {
    const found = flags.job === undefined ? undefined : await resolveId(client, flags.job, ['job'])
    if (found?.ok === false) return found
    return listRecords(needs, client, what, { ...flags, job: found?.value.id })
  })
}

/** With the job's whole id. */
type Asked = Omit<ListFlags, 'job'> & { readonly job?: string | undefined }

async function listRecords(
  needs: CommandNeeds,
  client: MusterClient,
  what: ListKind,
  flags: Asked,
): Promise<Outcome> {
  const look = lookOf(needs)
  const { job, limit = DEFAULT_LIMIT } = flags
  switch (what) {
    case 'jobs':
      return listJobs(needs, client, flags)
    case 'tasks':
      return withAnswer(client.listTasks({ job, limit }), (page) =>
        show(
          needs,
          page,
          taskTable(page.items, needs.surroundings.now(), look, job === undefined ? 'all' : 'one'),
        ),
      )
    case 'landings':
      return listLandings(needs, client, flags)
    case 'sessions':
      return listSessions(needs, client, flags)
    case 'projects':
      return withAnswer(client.listProjects({ limit }), (page) => show(needs, page, projectTable(page.items)))
    case 'agents':
      return listAgents(needs, client)
    default:
      return assertNever(what)
  }
}

function listJobs(needs: CommandNeeds, client: MusterClient, flags: Asked): Promise<Outcome> {
  const { user, limit = DEFAULT_LIMIT } = flags
  const status = JOB_STATUSES.find((candidate) => candidate === flags.status)
  return withAnswer(client.listJobs({ limit, user, status }), (page) =>
    show(needs, page, jobTable(page.items, lookOf(needs), user !== undefined || status !== undefined)),
  )
}

/** The merge queue of a job, of the newest one here unless another is named. */
async function listLandings(needs: CommandNeeds, client: MusterClient, flags: Asked): Promise<Outcome> {
  const { limit = DEFAULT_LIMIT, status } = flags
  const here = { cwd: needs.surroundings.cwd, say: needs.output.note }
  const newest = flags.job === undefined ? await newestJob(client, here) : undefined
  if (newest?.ok === false) return failure(apiProblem(newest.failure))
  const job = flags.job ?? newest?.value?.id
  if (job === undefined) return show(needs, { items: [] }, ['no jobs yet'])
  if (status === undefined) {
    return withAnswer(client.listLandings({ job, limit }), (page) => showLandings(needs, client, page))
  }
  return withAnswer(
    readAll((cursor) => client.listLandings({ job, limit: PAGE, cursor })),
    (all) => {
      const items = all.filter((landing) => landing.status === status).slice(0, limit)
      return items.length === 0
        ? show(needs, { items }, ['no landing matches'])
        : showLandings(needs, client, { items })
    },
  )
}

async function showLandings(
  needs: CommandNeeds,
  client: MusterClient,
  page: Page<WireLanding>,
): Promise<Outcome> {
  const labels = await taskLabels(needs, client, page.items)
  return show(needs, page, landingTable(page.items, labels, lookOf(needs)))
}

async function listSessions(needs: CommandNeeds, client: MusterClient, flags: Asked): Promise<Outcome> {
  const { job, agent, role, resumable, limit = DEFAULT_LIMIT } = flags
  return withAnswer(client.listSessions({ job, agent, role, resumable, limit }), async (page) => {
    const isPart = [job, agent, role, resumable].some((flag) => flag !== undefined)
    if (page.items.length === 0 && isPart) return show(needs, page, ['no session matches'])
    const labels = await taskLabels(needs, client, page.items)
    return show(needs, page, sessionTable(page.items, labels, needs.surroundings.now(), lookOf(needs)))
  })
}

type OfTask = { readonly taskId?: string | undefined; readonly jobId?: string | undefined }

/** The short names of the tasks that sessions or landings are of; programs are given ids only. */
async function taskLabels(
  needs: CommandNeeds,
  client: MusterClient,
  records: readonly OfTask[],
): Promise<ReadonlyMap<string, string>> {
  const names = createTaskNames(client)
  const labels = new Map<string, string>()
  for (const { taskId, jobId } of needs.output.json ? [] : records) {
    if (taskId === undefined || jobId === undefined) continue
    const name = await names.nameOf({ taskId, jobId })
    if (name !== undefined) labels.set(taskId, name.label)
  }
  return labels
}

/** Agents are the repository's; the providers they can use are the machine's. */
async function listAgents(needs: CommandNeeds, client: MusterClient): Promise<Outcome> {
  const { cwd } = needs.surroundings
  const repository = await findRepository(cwd)
  if (repository === undefined) return failure(noRepository(cwd, 'look'))
  return withAnswer(client.listAgents(repository), (configured) =>
    withAnswer(client.listProviders(), (providers) =>
      show(needs, { ...configured, providers: providers.items }, [
        ...agentTable(configured),
        '',
        ...providerTable(providers.items, needs.output.paint),
      ]),
    ),
  )
}

function show(needs: CommandNeeds, data: unknown, lines: readonly string[]): Outcome {
  needs.output.value({ success: true, data })
  for (const line of lines) needs.output.print(line)
  return success(EXIT.done)
}
