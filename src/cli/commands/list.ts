import type { MusterClient, WireJobStatus, WireSession } from '../../client/index.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { createTaskNames } from '../follow/task-names.ts'
import type { Outcome } from '../problem.ts'
import { landingTable } from '../render/landing-table.ts'
import { agentTable, jobTable, projectTable, providerTable, taskTable } from '../render/record-tables.ts'
import { sessionTable } from '../render/session-table.ts'
import { findRepository } from '../repository/find-repository.ts'
import { noRepository } from '../repository/no-repository.ts'
import { resolveId } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type ListKind = 'jobs' | 'tasks' | 'landings' | 'sessions' | 'agents' | 'projects'
export type ListFlags = {
  readonly job?: string
  readonly agent?: string
  readonly role?: string
  readonly resumable?: true
  readonly user?: string
  readonly status?: WireJobStatus
  readonly limit?: number
}

const DEFAULT_LIMIT = 50

/** Tables of what the daemon knows, newest first. */
export async function listCommand(needs: CommandNeeds, what: ListKind, flags: ListFlags): Promise<Outcome> {
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
  const { paint, hint } = needs.output
  const { job, user, status, limit = DEFAULT_LIMIT } = flags
  switch (what) {
    case 'jobs':
      return withAnswer(client.listJobs({ limit, user, status }), (page) =>
        show(needs, page, jobTable(page.items, { paint, hint })),
      )
    case 'tasks':
      return withAnswer(client.listTasks({ job, limit }), (page) =>
        show(needs, page, taskTable(page.items, paint)),
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

/** The merge queue of a job, of the newest one unless another is named. */
async function listLandings(needs: CommandNeeds, client: MusterClient, flags: Asked): Promise<Outcome> {
  const { limit = DEFAULT_LIMIT } = flags
  return withAnswer(client.listJobs({ limit: 1 }), (jobs) => {
    const job = flags.job ?? jobs.items[0]?.id
    if (job === undefined) return show(needs, { items: [] }, ['no jobs yet'])
    return withAnswer(client.listLandings({ job, limit }), (page) =>
      show(needs, page, landingTable(page.items, needs.output.paint)),
    )
  })
}

async function listSessions(needs: CommandNeeds, client: MusterClient, flags: Asked): Promise<Outcome> {
  const { job, agent, role, resumable, limit = DEFAULT_LIMIT } = flags
  return withAnswer(client.listSessions({ job, agent, role, resumable, limit }), async (page) => {
    const labels = needs.output.json ? new Map<string, string>() : await taskLabels(client, page.items)
    return show(needs, page, sessionTable(page.items, labels, needs.surroundings.now(), needs.output.paint))
  })
}

/** The short names of the tasks that sessions work at. */
async function taskLabels(
  client: MusterClient,
  sessions: readonly WireSession[],
): Promise<ReadonlyMap<string, string>> {
  const names = createTaskNames(client)
  const labels = new Map<string, string>()
  for (const { taskId, jobId } of sessions) {
    if (taskId === undefined || jobId === undefined) continue
    const name = await names.nameOf({ taskId, jobId, data: {} })
    if (name !== undefined) labels.set(taskId, name.label)
  }
  return labels
}

/** Agents are the repository's; the providers they can use are the machine's. */
async function listAgents(needs: CommandNeeds, client: MusterClient): Promise<Outcome> {
  const { cwd } = needs.surroundings
  const repository = await findRepository(cwd)
  if (repository === undefined) return failure(noRepository(cwd))
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
