import { parseId } from '../../domain/id.ts'
import { type Message, runOf } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import { findRunOf } from './author.ts'
import type { Address } from './find-recipient.ts'
import type { Draft } from './new-message.ts'

/** A message without its text and what comes with it. */
export type Unwritten = Omit<Draft, 'body' | 'content'> & { readonly kind: 'text' | 'answer' }

/** Addresses a reply to the sender of a message. A question takes only one answer. */
export async function replyTo(
  records: Records,
  original: Message,
): Promise<Result<Unwritten, MessageFailure>> {
  const isQuestion = original.kind === 'question'
  if (isQuestion && (await records.messages.findAnswer(original.id)) !== undefined)
    return failure({ type: 'question-answered', id: original.id })
  const addressed = await findSender(records, original)
  if (!addressed.ok) return addressed
  return success({
    kind: isQuestion ? 'answer' : 'text',
    ...addressed.value,
    threadId: original.threadId,
    subject: original.subject,
    inReplyTo: original.id,
  })
}

/**
 * Where the sender of a message gets replies. In a run, the next visit of its role goes on with its work: once the
 * session has ended, that visit gets them.
 */
async function findSender(records: Records, original: Message): Promise<Result<Address, MessageFailure>> {
  const { sender, senderRole } = original
  const id = parseId('session', sender)
  const session = id === undefined ? undefined : await records.sessions.find(id)
  if (id === undefined || (session !== undefined && session.state.type !== 'terminated'))
    return success({ recipient: sender, ...withoutUndefined({ recipientRole: senderRole }) })
  const runId = runOf(original)
  const run = runId === undefined ? undefined : await records.runs.find(runId)
  const isOpen = run?.state.type === 'running' || run?.state.type === 'asking'
  const isOfRun = session !== undefined && (await findRunOf(records, session)) === runId
  if (!isOpen || !isOfRun) return failure({ type: 'recipient-gone', recipient: id })
  return success({ recipient: `role:${session.role}` })
}
