import type { SessionId } from '../../domain/id.ts'
import type { MessageNeeds } from './message-needs.ts'

/** Tells live sessions that they have something to read. The message is stored: a nudge that fails loses nothing. */
export async function nudge(
  needs: Pick<MessageNeeds, 'onMessage' | 'log'>,
  readers: readonly SessionId[],
): Promise<void> {
  if (readers.length === 0) return
  try {
    await needs.onMessage(readers)
  } catch (error) {
    needs.log.warn(
      { error: String(error), readers: readers.length },
      'sessions could not be told of a message',
    )
  }
}
