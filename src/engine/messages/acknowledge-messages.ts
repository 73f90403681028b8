import { parseId, type SessionId } from '../../domain/id.ts'
import { isAddressedTo, type Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import { settleReceipt } from '../receipts/change-receipt.ts'
import { findAuthor } from './author.ts'
import type { MessageNeeds } from './message-needs.ts'

/** Acknowledges messages for a session, which then no longer gets them. If one isn't the session's own, none is. */
export async function acknowledgeMessages(
  needs: MessageNeeds,
  sessionId: SessionId,
  ids: readonly string[],
): Promise<Result<readonly Message[], MessageFailure>> {
  return await needs.store.transact(async (records) => {
    const author = await findAuthor(records, sessionId)
    if (author === undefined) return failure({ type: 'session-over' })
    const found = await findAll(records, ids, (message) =>
      isAddressedTo(message, author.session, author.runId),
    )
    return found.ok ? success(await settleAll(needs, records, found.value, sessionId)) : found
  })
}

/** Acknowledges messages that were sent to people. */
export async function acknowledgeAsPerson(
  needs: MessageNeeds,
  ids: readonly string[],
): Promise<Result<readonly Message[], MessageFailure>> {
  return await needs.store.transact(async (records) => {
    const found = await findAll(records, ids, (message) => message.recipient === 'person')
    return found.ok ? success(await settleAll(needs, records, found.value, 'person')) : found
  })
}

async function findAll(
  records: Records,
  ids: readonly string[],
  isOwn: (message: Message) => boolean,
): Promise<Result<readonly Message[], MessageFailure>> {
  const messages: Message[] = []
  for (const text of new Set(ids)) {
    const id = parseId('message', text)
    const message = id === undefined ? undefined : await records.messages.find(id)
    if (message === undefined || !isOwn(message))
      return failure({ type: 'message-not-found', id: text.slice(0, 100) })
    messages.push(message)
  }
  return success(messages)
}

async function settleAll(
  needs: MessageNeeds,
  records: Records,
  messages: readonly Message[],
  reader: SessionId | 'person',
): Promise<readonly Message[]> {
  const settled: Message[] = []
  for (const message of messages) {
    settled.push(await settleReceipt(records, message, reader, needs.clock.now()))
  }
  return settled
}
