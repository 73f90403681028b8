import type { MusterClient, Page, WireLanding } from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { failure } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { ListKind } from '../parse/list-kind.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { agentTable, jobTable, projectTable, providerTable, taskTable } from '../render/job/record-tables.ts'
import { landingTable } from '../render/task/landing-table.ts'
import { displayOf } from '../render/text/display.ts'
import { findRepository } from '../repository/find-repository.ts'
import { newestJob } from '../repository/newest-job.ts'
import { noRepository } from '../repository/no-repository.ts'
import { resolveJobFlag } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'
import { JOB_STATUSES, listProblem } from './list-problem.ts'
import { listSessions } from './list-sessions.ts'
import { listPlaybooks } from './playbooks.ts'
import { listRuns } from './runs.ts'
import { taskLabels } from './task-labels.ts'

export type ListFlags = {
  readonly job?: string
  readonly agent?: string
  readonly role?: string
  readonly resumable?: true
  readonly askable?: true
  readonly all?: true
  readonly user?: string
  readonly status?: string
  readonly limit?: number
}

const DEFAULT_LIMIT = 50

/** Prints a table of records, newest first. */
export async function listCommand(needs: CommandNeeds, what: ListKind, flags: ListFlags): Promise<Outcome> {
  const problem = listProblem(what, flags)
  if (problem !== undefined) return failure(problem)
  return withDaemon(needs, async (client) => {
    const job = await resolveJobFlag(client, flags.job)
    return job.ok ? listRecords(needs, client, what, { ...flags, job: job.value }) : job
  })
}

/** The flags, with the whole ID of the job. */
type Asked = Omit<ListFlags, 'job'> & { readonly job?: string | undefined }

async function listRecords(
  needs: CommandNeeds,
  client: MusterClient,
  what: ListKind,
  flags: Asked,
): Promise<Outcome> {
  const display = displayOf(needs)
  const { job, limit = DEFAULT_LIMIT } = flags
  switch (what) {
    case 'jobs':
      return listJobs(needs, client, flags)
    case 'tasks':
      return withAnswer(client.listTasks({ job, limit }), (page) =>
        printResult(
          needs,
          page,
          taskTable(page.items, needs.surroundings.now(), display, job === undefined ? 'all' : 'one'),
        ),
      )
    case 'landings':
      return listLandings(needs, client, flags)
    case 'sessions':
      return listSessions(needs, client, flags)
    case 'projects':
      return withAnswer(client.listProjects({ limit }), (page) =>
        printResult(needs, page, projectTable(page.items, display)),
      )
    case 'agents':
      return listAgents(needs, client)
    case 'runs':
      return listRuns(needs, client, { job, limit })
    case 'playbooks':
      return listPlaybooks(needs, client)
    default:
      return assertNever(what)
  }
}

function listJobs(needs: CommandNeeds, client: MusterClient, flags: Asked): Promise<Outcome> {
  const { user, limit = DEFAULT_LIMIT } = flags
  const status = JOB_STATUSES.find((candidate) => candidate === flags.status)
  return withAnswer(client.listJobs({ limit, user, status }), (page) =>
    printResult(
      needs,
      page,
      jobTable(
        page.items,
        needs.surroundings.now(),
        displayOf(needs),
        user !== undefined || status !== undefined,
      ),
    ),
  )
}

/** Lists the merge queue of the named job, or of the newest job here. */
async function listLandings(needs: CommandNeeds, client: MusterClient, flags: Asked): Promise<Outcome> {
  const { limit = DEFAULT_LIMIT, status } = flags
  const here = { cwd: needs.surroundings.cwd, say: needs.output.note }
  const newest = flags.job === undefined ? await newestJob(client, here) : undefined
  if (newest?.ok === false) return failure(apiProblem(newest.failure))
  const job = flags.job ?? newest?.value?.id
  if (job === undefined) return printResult(needs, { items: [] }, ['no jobs yet'])
  if (status === undefined) {
    return withAnswer(client.listLandings({ job, limit }), (page) => showLandings(needs, client, page))
  }
  return withAnswer(
    readAll((page) => client.listLandings({ job, ...page })),
    (all) => {
      const items = all.filter((landing) => landing.status === status).slice(0, limit)
      return items.length === 0
        ? printResult(needs, { items }, ['no landing matches'])
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
  return printResult(needs, page, landingTable(page.items, labels, displayOf(needs)))
}

/** Agents belong to the repository; the available providers belong to the machine. */
async function listAgents(needs: CommandNeeds, client: MusterClient): Promise<Outcome> {
  const { cwd } = needs.surroundings
  const repository = await findRepository(cwd)
  if (repository === undefined) return failure(noRepository(cwd, 'read'))
  return withAnswer(client.listAgents(repository), (configured) =>
    withAnswer(client.listProviders(), (providers) =>
      printResult(needs, { ...configured, providers: providers.items }, [
        ...agentTable(configured),
        '',
        ...providerTable(providers.items, configured, displayOf(needs)),
      ]),
    ),
  )
}
