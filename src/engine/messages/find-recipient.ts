import { parseId, type RunId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { isAddressedTo, type Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { parseRecipient, type Recipient } from '../../domain/message/recipient.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import { rulesOf } from '../../domain/session/session-purpose.ts'
import type { Records } from '../../ports/store/store.ts'
import { findRunOf } from './author.ts'
import { rolesOfRun } from './run-roles.ts'

/** A recipient and, if it is a session, its role. */
export type Address = Pick<Message, 'recipient' | 'recipientRole'>
type Found = Result<Address, MessageFailure>
type From = { readonly session?: Session; readonly job?: Job; readonly runId?: RunId }

/** Whoever runs the playbook: Muster. It acts on no message; people read what was sent to it. */
const ORCHESTRATOR = 'orchestrator'
const RUN_ADDRESSES: readonly string[] = ['broadcast', ORCHESTRATOR]

/**
 * Finds a recipient. A session may write to people and to the agents, roles and live sessions of its own job. Within a
 * run, it may also write to the orchestrator and to everyone at once.
 */
export async function findRecipient(records: Records, from: From, text: string): Promise<Found> {
  const { job, session, runId } = from
  const recipient = parseRecipient(text)
  const names = await namesFor(records, job, runId)
  if (recipient === 'person' && session !== undefined) return success({ recipient })
  if (text === ORCHESTRATOR && runId !== undefined) return success({ recipient: 'engine' })
  if (recipient !== undefined && names.includes(recipient)) return unlessOver(job, recipient)
  const unknown = failure({
    type: 'recipient-unknown',
    recipient: text.slice(0, 100),
    known: [...(session === undefined ? [] : ['person']), ...names],
  } as const)
  const other = job === undefined ? undefined : await findSessionIn(records, job, text)
  return other === undefined || other.id === session?.id ? unknown : unlessEnded(other)
}

async function findSessionIn(records: Records, job: Job, text: string): Promise<Session | undefined> {
  const id = parseId('session', text)
  const session = id === undefined ? undefined : await records.sessions.find(id)
  return session?.jobId === job.id && rulesOf(session).takesMessages ? session : undefined
}

function unlessEnded({ id, role, state }: Session): Found {
  return state.type === 'terminated'
    ? failure({ type: 'recipient-gone', recipient: id })
    : success({ recipient: id, recipientRole: role })
}

/** After its job has ended, no session reads what is addressed to a name. */
function unlessOver(job: Job | undefined, recipient: Recipient): Found {
  const isOver = job !== undefined && isJobFinished(job.state)
  return isOver ? failure({ type: 'job-over', recipient }) : success({ recipient })
}

/** The live sessions that may read a message. */
export async function findReaders(records: Records, message: Message): Promise<readonly Session[]> {
  const { recipient } = message
  if (recipient === 'person' || recipient === 'engine' || recipient === 'broadcast') return []
  const id = parseId('session', recipient)
  if (id === undefined) return await findNamed(records, message)
  const session = await records.sessions.find(id)
  return session === undefined || session.state.type === 'terminated' ? [] : [session]
}

async function findNamed(records: Records, message: Message): Promise<readonly Session[]> {
  const live = message.jobId === undefined ? [] : await records.sessions.listLive(message.jobId)
  const readers: Session[] = []
  for (const session of live.filter((one) => rulesOf(one).takesMessages)) {
    if (isAddressedTo(message, session, await findRunOf(records, session))) readers.push(session)
  }
  return readers
}

async function namesFor(
  records: Records,
  job: Job | undefined,
  runId: RunId | undefined,
): Promise<readonly string[]> {
  const agents = job?.plan.agents ?? []
  const own = runId === undefined ? undefined : await rolesOfRun(records, runId)
  const roles = new Set(own ?? agents.flatMap((agent) => agent.roles))
  return [
    ...agents.map(({ name }) => `agent:${name}`),
    ...[...roles].map((role) => `role:${role}`),
    ...(runId === undefined ? [] : RUN_ADDRESSES),
  ]
}
