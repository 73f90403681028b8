import type { SessionId } from '../../domain/id.ts'
import type { Records } from '../../ports/store/store.ts'
import { changeReceipt } from './change-receipt.ts'

/**
 * Fails what was for a session alone and was not acknowledged when it ended: whoever sent it learns that it was
 * not read. What was for its agent's name or role waits for the next such session. Part of the transaction that
 * ends the session.
 */
export async function failUnreadMessages(records: Records, sessionId: SessionId, now: Date): Promise<void> {
  for (const message of await records.messages.listUnread(sessionId)) {
    const reason =
      message.state.type === 'queued'
        ? 'the session ended before it read it'
        : 'the session ended before it acknowledged it'
    await changeReceipt(records, message, { type: 'message-fail', reason }, now)
  }
}
