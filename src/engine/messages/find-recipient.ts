import { parseId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { isAddressedTo, type Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { parseRecipient, type Recipient } from '../../domain/message/recipient.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import { rulesOf } from '../../domain/session/session-purpose.ts'
import type { Records } from '../../ports/store/store.ts'

type Found = Result<Recipient, MessageFailure>

/** Finds a recipient. A session may write to people and to the agents, roles and live sessions of its own job. */
export async function findRecipient(
  records: Records,
  from: { readonly session?: Session; readonly job?: Job },
  text: string,
): Promise<Found> {
  const { job, session } = from
  const recipient = parseRecipient(text)
  const names = namesIn(job)
  if (recipient === 'person' && session !== undefined) return success(recipient)
  if (recipient !== undefined && names.includes(recipient)) return unlessOver(job, recipient)
  const unknown = failure({
    type: 'recipient-unknown',
    recipient: text.slice(0, 100),
    known: [...(session === undefined ? [] : ['person']), ...names],
  } as const)
  const id = parseId('session', text)
  if (id === undefined || id === session?.id) return unknown
  const other = await records.sessions.find(id)
  const isReachable = job !== undefined && other?.jobId === job.id && rulesOf(other).takesMessages
  if (other === undefined || !isReachable) return unknown
  return other.state.type === 'terminated' ? failure({ type: 'recipient-gone', recipient: id }) : success(id)
}

/** After its job has ended, no session reads what is addressed to a name. */
function unlessOver(job: Job | undefined, recipient: Recipient): Found {
  const isOver = job !== undefined && isJobFinished(job.state)
  return isOver ? failure({ type: 'job-over', recipient }) : success(recipient)
}

/** The live sessions that may read a message. */
export async function findReaders(records: Records, message: Message): Promise<readonly Session[]> {
  if (message.recipient === 'person' || message.recipient === 'engine') return []
  const id = parseId('session', message.recipient)
  if (id === undefined) {
    const live = message.jobId === undefined ? [] : await records.sessions.listLive(message.jobId)
    return live.filter((session) => rulesOf(session).takesMessages && isAddressedTo(message, session))
  }
  const session = await records.sessions.find(id)
  return session === undefined || session.state.type === 'terminated' ? [] : [session]
}

function namesIn(job: Job | undefined): readonly string[] {
  const agents = job?.plan.agents ?? []
  const roles = new Set(agents.flatMap((agent) => agent.roles))
  return [...agents.map(({ name }) => `agent:${name}`), ...[...roles].map((role) => `role:${role}`)]
}
