import type { MessageOptions, MusterClient } from '../../client/index.ts'
import { closestWord } from '../../domain/closest-word.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import { EXIT } from '../exit-code.ts'
import { findNewestRun, runOf } from '../find-run.ts'
import type { Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { type Here, newestJob } from '../repository/newest-job.ts'
import { resolveId } from '../resolve-id.ts'
import { newestRun, rolesOf } from '../role/find-role.ts'

export type MessageScope = Pick<
  MessageOptions,
  'session' | 'recipient' | 'run' | 'job' | 'thread' | 'role'
> & { readonly message?: string }

const KINDS = ['run', 'task', 'job', 'session', 'message'] as const
/** What can only be a record; everything else may also be the name of an agent or a role. */
const RECORD = /^(?:run|job|tsk|ses|msg)_|^t\d+-\d+$/
const ADDRESS = /^(agent|role):(.+)$/
const TEXT_LIMIT = 40

/**
 * The messages that a text names: those of a run as one conversation, of a job, of the run of a task, of a session, to an
 * agent, to a role or to the person, or one message. `job`: the value of --job.
 */
export async function messageScope(
  client: MusterClient,
  text: string,
  job: string | undefined,
  here: Here,
): Promise<Result<MessageScope, Problem>> {
  if (text === 'person') return success({ recipient: text })
  if (RECORD.test(text)) return recordScope(client, text, here)
  const named = await agentOrRole(client, text, job, here)
  if (!named.ok || named.value.scope !== undefined) return named.ok ? success(named.value.scope ?? {}) : named
  const record = await recordScope(client, text, here)
  if (record.ok || record.failure.type !== 'id-unknown') return record
  return failure(unknownName(text, named.value.known))
}

/** The conversation of the newest job's run or, if the job has none, the messages of the job. */
export async function newestScope(client: MusterClient, here: Here): Promise<Result<MessageScope, Problem>> {
  const newest = await findNewestRun(client, here)
  if (!newest.ok) return newest
  const { job, run } = newest.value
  return success(run === undefined ? { job } : { run })
}

/** The thread of a run, or the one that a message belongs to. */
export async function threadOf(client: MusterClient, text: string): Promise<Result<string, Problem>> {
  const found = await resolveId(client, text, ['run', 'message'])
  if (!found.ok) return found
  if (found.value.kind === 'run') return success(found.value.id)
  const message = await client.getMessage(found.value.id)
  return message.ok ? success(message.value.threadId) : failure(apiProblem(message.failure))
}

async function recordScope(
  client: MusterClient,
  text: string,
  here: Here,
): Promise<Result<MessageScope, Problem>> {
  const found = await resolveId(client, text, KINDS, here)
  if (!found.ok) return found
  const { kind, id } = found.value
  if (kind === 'job' || kind === 'session' || kind === 'message') return success({ [kind]: id })
  const run = await runOf(client, { kind, id })
  return run.ok ? success({ run: run.value }) : run
}

type AgentOrRole = { readonly scope?: MessageScope; readonly known: readonly string[] }

/** An agent that works on the job or got a message, or else a role of the newest run. */
async function agentOrRole(
  client: MusterClient,
  text: string,
  job: string | undefined,
  here: Here,
): Promise<Result<AgentOrRole, Problem>> {
  const [, prefix, name = text] = ADDRESS.exec(text) ?? []
  const recipient = `${prefix ?? 'agent'}:${name}`
  const received = await client.listMessages({ recipient, job, limit: 1 })
  if (!received.ok) return failure(apiProblem(received.failure))
  const agents = await agentsOf(client, job, here.cwd)
  const isAgent = prefix !== 'role' && agents.includes(name)
  if (received.value.items.length > 0 || isAgent) return success({ scope: { recipient }, known: agents })
  const run = job === undefined ? await newestRun(client, here.cwd) : success(undefined)
  if (!run.ok) return run
  const roles = run.value === undefined ? [] : await rolesOf(client, run.value)
  const known = [...agents, ...roles]
  if (run.value === undefined || prefix === 'agent' || !roles.includes(name)) return success({ known })
  return success({ scope: { run: run.value.id, role: name }, known })
}

async function agentsOf(
  client: MusterClient,
  named: string | undefined,
  cwd: string,
): Promise<readonly string[]> {
  const newest = await newestJob(client, { cwd, say: () => {} })
  const id = named ?? (newest.ok ? newest.value?.id : undefined)
  const job = id === undefined ? undefined : await client.getJob(id)
  return job?.ok === true ? job.value.agents.map(({ name }) => name) : []
}

function unknownName(text: string, known: readonly string[]): Problem {
  const meant = closestWord(text, known)
  return {
    type: 'id-unknown',
    exitCode: EXIT.usage,
    message: `no run, task, job, session, message, agent or role is called "${safeLine(text, TEXT_LIMIT)}"`,
    next: meant === undefined ? 'muster messages --all' : `muster messages ${meant}`,
  }
}
