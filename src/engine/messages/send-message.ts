import { parseId, type SessionId } from '../../domain/id.ts'
import { isAddressedTo } from '../../domain/message/is-addressed-to.ts'
import type { TextLetter } from '../../domain/message/letter.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Author } from './author.ts'
import { settleReceipt } from './change-receipt.ts'
import { findRecipient } from './find-recipient.ts'
import type { MessageNeeds } from './message-needs.ts'
import { nudge } from './nudge.ts'
import { type Post, postMessage } from './post-message.ts'
import { replyTo } from './reply-to.ts'

/** A letter from a session to people or to others of its job; a reply to a question is its answer. */
export async function sendMessage(
  needs: MessageNeeds,
  sessionId: SessionId,
  letter: Omit<TextLetter, 'type'>,
): Promise<Result<Message, MessageFailure>> {
  const posted = await postMessage(needs, sessionId, letter.key, async (records, author) => {
    const addressed = await address(needs, records, author, letter)
    if (!addressed.ok) return addressed
    const { subject, metadata } = letter
    return success({
      ...addressed.value,
      ...(subject === undefined ? {} : { subject }),
      ...(metadata === undefined ? {} : { metadata }),
      body: letter.body,
    })
  })
  if (!posted.ok) return posted
  await nudge(needs, posted.value.readers)
  return success(posted.value.message)
}

async function address(
  needs: MessageNeeds,
  records: Records,
  author: Author,
  letter: Omit<TextLetter, 'type'>,
): Promise<Result<Omit<Post, 'body'>, MessageFailure>> {
  if (letter.inReplyTo === undefined) {
    const recipient = await findRecipient(records, author, letter.to ?? '')
    return recipient.ok ? success({ kind: 'text', recipient: recipient.value }) : recipient
  }
  const id = parseId('message', letter.inReplyTo)
  const original = id === undefined ? undefined : await records.messages.find(id)
  if (original === undefined || !isAddressedTo(original, author.session))
    return failure({ type: 'message-not-found', id: letter.inReplyTo.slice(0, 100) })
  const reply = await replyTo(records, original)
  if (reply.ok) await settleReceipt(records, original, author.session.id, needs.clock.now())
  return reply
}
