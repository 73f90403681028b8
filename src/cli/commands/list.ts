import type { MusterClient } from '../../client/index.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import {
  agentTable,
  jobTable,
  projectTable,
  providerTable,
  sessionTable,
  taskTable,
} from '../render/record-tables.ts'
import { findRepository } from '../repository/find-repository.ts'
import { noRepository } from '../repository/no-repository.ts'
import { resolveId } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type ListKind = 'jobs' | 'tasks' | 'sessions' | 'agents' | 'projects'
export type ListFlags = { readonly job?: string; readonly limit?: number }

const DEFAULT_LIMIT = 50

/** Tables of what the daemon knows, newest first. */
export async function listCommand(needs: CommandNeeds, what: ListKind, flags: ListFlags): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    if (flags.job === undefined) return listRecords(needs, client, what, flags.limit, undefined)
    const found = await resolveId(client, flags.job, ['job'])
    return found.ok ? listRecords(needs, client, what, flags.limit, found.value.id) : found
  })
}

async function listRecords(
  needs: CommandNeeds,
  client: MusterClient,
  what: ListKind,
  limit = DEFAULT_LIMIT,
  job: string | undefined = undefined,
): Promise<Outcome> {
  const { paint, hint } = needs.output
  const now = needs.surroundings.now()
  switch (what) {
    case 'jobs':
      return withAnswer(client.listJobs({ limit }), (page) =>
        show(needs, page, jobTable(page.items, { paint, hint })),
      )
    case 'tasks':
      return withAnswer(client.listTasks({ job, limit }), (page) =>
        show(needs, page, taskTable(page.items, paint)),
      )
    case 'sessions':
      return withAnswer(client.listSessions({ job, limit }), (page) =>
        show(needs, page, sessionTable(page.items, now)),
      )
    case 'projects':
      return withAnswer(client.listProjects({ limit }), (page) => show(needs, page, projectTable(page.items)))
    case 'agents':
      return listAgents(needs, client)
    default:
      return assertNever(what)
  }
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
