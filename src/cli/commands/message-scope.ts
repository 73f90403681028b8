import type { MessageOptions, MusterClient } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import { runOf } from '../find-run.ts'
import type { Problem } from '../problem.ts'
import type { Here } from '../repository/newest-job.ts'
import { resolveId } from '../resolve-id.ts'

export type MessageScope = Pick<MessageOptions, 'session' | 'recipient' | 'run' | 'job' | 'thread'>

/** What has an ID or a short name; everything else is the name of an agent. */
const RECORD = /^(?:run|job|tsk)_|^t\d+-\d+$/

/**
 * The messages that a text names: those of a run as one conversation, of a job, of the run of a task, of a session, or to
 * an agent, a role or the person.
 */
export async function messageScope(
  client: MusterClient,
  text: string | undefined,
  here: Here,
): Promise<Result<MessageScope, Problem>> {
  if (text === undefined) return success({})
  if (text.startsWith('ses_')) {
    const found = await resolveId(client, text, ['session'])
    return found.ok ? success({ session: found.value.id }) : found
  }
  if (!RECORD.test(text)) {
    return success({ recipient: text === 'person' || text.includes(':') ? text : `agent:${text}` })
  }
  const found = await resolveId(client, text, ['run', 'task', 'job'], here)
  if (!found.ok) return found
  const { kind, id } = found.value
  if (kind === 'job') return success({ job: id })
  const run = await runOf(client, { kind, id })
  return run.ok ? success({ run: run.value }) : run
}

/** The thread of a run, or the one that a message belongs to. */
export async function threadOf(client: MusterClient, text: string): Promise<Result<string, Problem>> {
  const found = await resolveId(client, text, ['run', 'message'])
  if (!found.ok) return found
  if (found.value.kind === 'run') return success(found.value.id)
  const message = await client.getMessage(found.value.id)
  return message.ok ? success(message.value.threadId) : failure(apiProblem(message.failure))
}
