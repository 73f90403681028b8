import type { JobId, SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Records } from '../../ports/store/store.ts'
import { changeReceipt } from './change-receipt.ts'

/**
 * Fails messages addressed to one session that it hadn't acknowledged when it ended, so that the sender learns they
 * weren't read. Messages to its agent or role wait for the next such session. Runs in the transaction that ends the
 * session.
 */
export async function failUnreadMessages(records: Records, sessionId: SessionId, now: Date): Promise<void> {
  const unread = await records.messages.listUnread(sessionId)
  await failEach(records, unread, now, ({ state }) =>
    state.type === 'queued'
      ? 'the session ended before reading the message'
      : 'the session ended before acknowledging the message',
  )
}

/**
 * Fails messages to the agents and roles of a job that has ended, because no session will read them any more, and open
 * questions to a person, because no session waits for the answer. Runs in the transaction that ends the job, before the
 * job's last event.
 */
export async function failWaitingMessages(records: Records, jobId: JobId, now: Date): Promise<void> {
  const waiting = await records.messages.listWaiting(jobId)
  await failEach(records, waiting, now, ({ recipient, state }) => {
    if (recipient === 'person') return 'the job ended before anyone answered the question'
    return state.type === 'queued'
      ? 'the job ended before anyone read the message'
      : 'the job ended before anyone acknowledged the message'
  })
}

async function failEach(
  records: Records,
  messages: readonly Message[],
  now: Date,
  reasonFor: (message: Message) => string,
): Promise<void> {
  for (const message of messages) {
    await changeReceipt(records, message, { type: 'message-fail', reason: reasonFor(message) }, now)
  }
}
