import { parseId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
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
  const id = parseId('session', original.sender)
  const session = id === undefined ? undefined : await records.sessions.find(id)
  if (id !== undefined && (session === undefined || session.state.type === 'terminated'))
    return failure({ type: 'recipient-gone', recipient: id })
  return success({
    kind: isQuestion ? 'answer' : 'text',
    recipient: original.sender,
    ...(original.senderRole === undefined ? {} : { recipientRole: original.senderRole }),
    threadId: original.threadId,
    subject: original.subject,
    inReplyTo: original.id,
  })
}
