import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import { changeReceipt } from '../receipts/change-receipt.ts'
import { findAuthor } from './author.ts'
import type { MessageNeeds } from './message-needs.ts'
import { type Patience, waitFor } from './wait-for.ts'

const MOST = 20
/** The most that one call returns; the next call returns the rest. */
const MOST_CHARACTERS = 128 * 1024

/**
 * Returns the messages addressed to a session, or to its agent or role within its job, the most urgent first. A message is returned until it
 * is acknowledged. If the session that received it ends without acknowledging it, the next session gets it.
 */
export async function readInbox(
  needs: MessageNeeds,
  sessionId: SessionId,
  patience?: Patience,
): Promise<Result<readonly Message[], MessageFailure>> {
  const first = await take(needs, sessionId)
  if (!first.ok || first.value.length > 0 || patience === undefined) return first
  const session = await needs.store.read.sessions.find(sessionId)
  const stream = session?.jobId ?? sessionId
  const later = await waitFor(needs, { sessionId, stream }, patience, async () => {
    const taken = await take(needs, sessionId)
    return taken.ok && taken.value.length === 0 ? undefined : taken
  })
  return later ?? success([])
}

async function take(
  needs: MessageNeeds,
  sessionId: SessionId,
): Promise<Result<readonly Message[], MessageFailure>> {
  return await needs.store.transact(async (records) => {
    const author = await findAuthor(records, sessionId)
    if (author === undefined) return failure({ type: 'session-over' })
    const due = fitting(await records.messages.listDue(author.session, author.runId, MOST))
    const given: Message[] = []
    for (const message of due) given.push(await give(needs, records, message, sessionId))
    return success(given)
  })
}

async function give(
  needs: MessageNeeds,
  records: Records,
  message: Message,
  to: SessionId,
): Promise<Message> {
  if (message.state.type === 'delivered' && message.state.to === to) return message
  return await changeReceipt(records, message, { type: 'message-delivery', to }, needs.clock.now())
}

function fitting(messages: readonly Message[]): readonly Message[] {
  let characters = 0
  const end = messages.findIndex(({ body }, index) => {
    characters += body.length
    return index > 0 && characters > MOST_CHARACTERS
  })
  return end === -1 ? messages : messages.slice(0, end)
}
