import { type JobId, parseId, type RunId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { MessagePriority, MessageType } from '../../domain/message/message-type.ts'
import { type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import { findRunOf } from './author.ts'
import { type Address, findRecipient } from './find-recipient.ts'
import type { MessageNeeds } from './message-needs.ts'
import { storeForeign } from './store-foreign.ts'

export type PersonMessage = {
  /** A session's id, or with a job `agent:<name>` or `role:<role>`. */
  readonly to: string
  readonly jobId?: string | undefined
  /** Addresses the roles of this run, and everyone in it. */
  readonly runId?: string | undefined
  readonly messageType?: MessageType | undefined
  readonly priority?: MessagePriority | undefined
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
    const { subject, body, messageType: type, priority } = message
    const { jobId, ...draft } = found.value
    return success({
      draft: { content: TEXT, body, ...draft, ...withoutUndefined({ subject, type, priority }) },
      ...withoutUndefined({ jobId }),
    })
  })
}

type PersonAddress = Address & { readonly threadId?: RunId; readonly jobId?: JobId }

async function address(
  records: Records,
  message: PersonMessage,
): Promise<Result<PersonAddress, MessageFailure>> {
  const sessionId = parseId('session', message.to)
  const session = sessionId === undefined ? undefined : await records.sessions.find(sessionId)
  // A session outside any job can only be addressed by its id.
  if (session !== undefined && session.jobId === undefined && session.state.type !== 'terminated')
    return success({ recipient: session.id, recipientRole: session.role })
  const runId =
    session === undefined ? parseId('run', message.runId ?? '') : await findRunOf(records, session)
  const run = runId === undefined ? undefined : await records.runs.find(runId)
  const jobId = session?.jobId ?? run?.jobId ?? parseId('job', message.jobId ?? '')
  const job = jobId === undefined ? undefined : await records.jobs.find(jobId)
  const found = await findRecipient(records, withoutUndefined({ job, runId: run?.id }), message.to)
  return found.ok ? success({ ...found.value, ...withoutUndefined({ jobId, threadId: run?.id }) }) : found
}
