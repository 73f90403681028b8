import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageNeeds } from './message-needs.ts'

/**
 * Wakes the sessions that wait for a message, and notifies live sessions of it. The message is already stored, so a failed notice loses nothing. An answer that a
 * session is waiting for needs no notice, which would cost the session another turn.
 */
export async function nudge(
  needs: Pick<MessageNeeds, 'onMessage' | 'log' | 'awaitedAnswers' | 'waitingReaders'>,
  { inReplyTo }: Pick<Message, 'inReplyTo'>,
  readers: readonly SessionId[],
): Promise<void> {
  if (readers.length === 0) return
  needs.waitingReaders.wake(readers)
  if (inReplyTo !== undefined && needs.awaitedAnswers.has(inReplyTo)) return
  try {
    await needs.onMessage(readers)
  } catch (error) {
    needs.log.warn(
      { error: String(error), readers: readers.length },
      'sessions could not be notified of a message',
    )
  }
}
