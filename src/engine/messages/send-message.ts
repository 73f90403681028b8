import { parseId, type SessionId } from '../../domain/id.ts'
import { isAddressedTo, type Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { SendRequest } from '../../domain/message/message-request.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import { settleReceipt } from '../receipts/change-receipt.ts'
import type { Author } from './author.ts'
import { readExpectation } from './expectation.ts'
import { findPredecessor } from './find-predecessor.ts'
import { findRecipient } from './find-recipient.ts'
import type { MessageNeeds } from './message-needs.ts'
import { nudge } from './nudge.ts'
import { postMessage } from './post-message.ts'
import { replyTo, type Unwritten } from './reply-to.ts'

/** Sends a session's message to people or to others of its job. A reply to a question is its answer. */
export async function sendMessage(
  needs: MessageNeeds,
  sessionId: SessionId,
  request: Omit<SendRequest, 'type'>,
): Promise<Result<Message, MessageFailure>> {
  const posted = await postMessage(needs, sessionId, request.key, async (records, author) => {
    const addressed = await address(needs, records, author, request)
    if (!addressed.ok) return addressed
    const expected = readExpectation(request, needs.clock.now())
    if (!expected.ok) return expected
    const { subject, messageType: type, metadata = {}, body } = request
    const { kind, ...draft } = addressed.value
    return success({
      ...draft,
      ...withoutUndefined({ subject, type }),
      ...expected.value,
      content: { kind, metadata },
      body,
      // People read what is sent to the orchestrator; it acts on none of it.
      isSettled: draft.recipient === 'engine',
    })
  })
  if (!posted.ok) return posted
  await nudge(needs, posted.value.message, posted.value.readers)
  return success(posted.value.message)
}

async function address(
  needs: MessageNeeds,
  records: Records,
  author: Author,
  request: Omit<SendRequest, 'type'>,
): Promise<Result<Unwritten, MessageFailure>> {
  if (request.inReplyTo === undefined) {
    const found = await findRecipient(records, author, await wordOf(records, author, request.to ?? ''))
    return found.ok ? success({ kind: 'text', ...found.value }) : found
  }
  const id = parseId('message', request.inReplyTo)
  const original = id === undefined ? undefined : await records.messages.find(id)
  if (original === undefined || !isAddressedTo(original, author.session, author.runId))
    return failure({ type: 'message-not-found', id: request.inReplyTo.slice(0, 100) })
  const reply = await replyTo(records, original)
  if (reply.ok) await settleReceipt(records, original, author.session.id, needs.clock.now())
  return reply
}

/** A predecessor gets messages only while it is live; a question is answered for it even after it has ended. */
async function wordOf(records: Records, author: Author, to: string): Promise<string> {
  return to === 'predecessor' ? ((await findPredecessor(records, author)) ?? to) : to
}
