import type { MusterClient, WireNamedRecord } from '../../client/index.ts'
import { type NamedKind, shortId } from '../../domain/short-id.ts'
import { runOf } from '../find-run.ts'
import { findRepository } from '../repository/find-repository.ts'
import { ofRepository } from '../repository/newest-job.ts'
import { resolveId } from '../resolve-id.ts'
import { newestRun, rolesOf } from '../role/find-role.ts'
import type { Candidate } from './complete-words.ts'

/** More than this don't help anyone to choose. */
const SHOWN_OF_KIND = 40

type Client = MusterClient

/** The newest records of these kinds, by names that work in the current directory. */
export async function recordCandidates(
  client: Client,
  kinds: readonly NamedKind[],
  cwd: string,
): Promise<readonly Candidate[]> {
  // The names of tasks depend on the newest job.
  const names = await client.findNames({ text: '', kinds: [...new Set<NamedKind>([...kinds, 'job'])] })
  if (!names.ok) return []
  const { items, lengths } = names.value
  const approvals = kinds.includes('approval') ? await pendingApprovals(client) : new Map<string, string>()
  const jobs = items.filter(({ kind }) => kind === 'job')
  const newest = (await ofRepository(jobs, cwd))[0] ?? jobs[0]
  return kinds.flatMap((kind) =>
    items
      .filter((item) => item.kind === kind && (kind !== 'approval' || approvals.has(item.id)))
      .slice(0, SHOWN_OF_KIND)
      .map((item) => ({
        value: nameOf(item, newest?.id) ?? shortId(item.id, lengths),
        description: item.title === '' ? (approvals.get(item.id) ?? kind) : item.title,
      })),
  )
}

function nameOf({ name, jobId }: WireNamedRecord, newestJob: string | undefined): string | undefined {
  return jobId !== undefined && jobId === newestJob ? name : undefined
}

/** What waits for the person now, by ID. */
async function pendingApprovals(client: Client): Promise<ReadonlyMap<string, string>> {
  const page = await client.listApprovals({ limit: SHOWN_OF_KIND })
  return new Map(page.ok ? page.value.items.map(({ id, summary }) => [id, summary]) : [])
}

export async function agentCandidates(client: Client, cwd: string): Promise<readonly Candidate[]> {
  const repository = await findRepository(cwd)
  const configured = repository === undefined ? undefined : await client.listAgents(repository)
  if (configured?.ok !== true) return []
  return configured.value.agents.map(({ name, provider }) => ({ value: name, description: provider }))
}

export async function playbookCandidates(client: Client, cwd: string): Promise<readonly Candidate[]> {
  const repositoryPath = await findRepository(cwd)
  const found = await client.listPlaybooks(repositoryPath === undefined ? {} : { repositoryPath })
  if (!found.ok) return []
  return found.value.items.map((view) => ({
    value: view.name,
    description: view.type === 'valid' ? view.playbook.description : 'invalid',
  }))
}

/** The roles of the run that a text names, or of the newest run. */
export async function roleCandidates(
  client: Client,
  cwd: string,
  text?: string,
): Promise<readonly Candidate[]> {
  const kinds = ['run', 'task', 'job'] as const
  const found = text === undefined ? undefined : await resolveId(client, text, kinds)
  const id = found?.ok === true ? await runOf(client, found.value) : undefined
  const named = id?.ok === true ? await client.getRun(id.value) : undefined
  const run = named ?? (await newestRun(client, cwd))
  if (!run.ok || run.value === undefined) return []
  const { playbook } = run.value
  return (await rolesOf(client, run.value)).map((value) => ({ value, description: `a role of ${playbook}` }))
}
