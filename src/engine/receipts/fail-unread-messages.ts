import type { SessionId } from '../../domain/id.ts'
import type { Records } from '../../ports/store/store.ts'
import { changeReceipt } from './change-receipt.ts'

/**
 * Fails messages addressed to one session that it hadn't acknowledged when it ended, so that the sender learns they
 * weren't read. Messages to its agent or role wait for the next such session. Runs in the transaction that ends the
 * session.
 */
export async function failUnreadMessages(records: Records, sessionId: SessionId, now: Date): Promise<void> {
  for (const message of await records.messages.listUnread(sessionId)) {
    const reason =
      message.state.type === 'queued'
        ? 'the session ended before reading the message'
        : 'the session ended before acknowledging the message'
    await changeReceipt(records, message, { type: 'message-fail', reason }, now)
  }
}
