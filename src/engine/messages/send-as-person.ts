import { type JobId, parseId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { Recipient } from '../../domain/message/recipient.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import { findRecipient } from './find-recipient.ts'
import type { MessageNeeds } from './message-needs.ts'
import { storeForeign } from './store-foreign.ts'

export type PersonMessage = {
  /** A session's id, or with a job `agent:<name>` or `role:<role>`. */
  readonly to: string
  readonly jobId?: string | undefined
  readonly subject?: string | undefined
  readonly body: string
  readonly key?: string | undefined
}

const TEXT = { kind: 'text', metadata: {} } as const

/** Sends a person's message to a session, an agent or a role. */
export async function sendAsPerson(
  needs: MessageNeeds,
  message: PersonMessage,
): Promise<Result<Message, MessageFailure>> {
  return await storeForeign(needs, 'person', message.key, async (records) => {
    const found = await address(records, message)
    if (!found.ok) return found
    const subject = message.subject === undefined ? {} : { subject: message.subject }
    const { recipient, ...job } = found.value
    return success({ draft: { content: TEXT, recipient, body: message.body, ...subject }, ...job })
  })
}

type Address = { readonly recipient: Recipient; readonly jobId?: JobId }

async function address(records: Records, message: PersonMessage): Promise<Result<Address, MessageFailure>> {
  const sessionId = parseId('session', message.to)
  const session = sessionId === undefined ? undefined : await records.sessions.find(sessionId)
  // A session outside any job can only be addressed by its id.
  if (session !== undefined && session.jobId === undefined && session.state.type !== 'terminated')
    return success({ recipient: session.id })
  const jobId = session?.jobId ?? parseId('job', message.jobId ?? '')
  const job = jobId === undefined ? undefined : await records.jobs.find(jobId)
  const recipient = await findRecipient(records, job === undefined ? {} : { job }, message.to)
  if (!recipient.ok) return recipient
  return success({ recipient: recipient.value, ...(jobId === undefined ? {} : { jobId }) })
}
