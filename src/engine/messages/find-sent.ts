import { MESSAGE_LIMITS } from '../../domain/limits/message-limits.ts'
import type { Message, Sender } from '../../domain/message/message.ts'
import type { Records } from '../../ports/store/store.ts'

export type Sent = {
  /** How many messages the sender has sent. */
  readonly count: number
  /** The key as it is stored. */
  readonly dedupeKey: string | undefined
  /** The message that the sender has sent with this key. */
  readonly known: Message | undefined
}

/** Counting locks the sender, so a message that is sent twice at once is stored once. */
export async function findSent(records: Records, sender: Sender, key: string | undefined): Promise<Sent> {
  const count = await records.messages.countFrom(sender)
  const dedupeKey = key?.slice(0, MESSAGE_LIMITS.keyCharacters)
  const known = dedupeKey === undefined ? undefined : await records.messages.findByKey(sender, dedupeKey)
  return { count, dedupeKey, known }
}
