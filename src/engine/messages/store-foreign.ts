import type { EventPlace } from '../../domain/event/event-place.ts'
import { type JobId, parseId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import { findPlace } from './author.ts'
import { findSent } from './find-sent.ts'
import type { MessageNeeds } from './message-needs.ts'
import { type Draft, newMessage } from './new-message.ts'
import { nudge } from './nudge.ts'
import { asSent, storeMessage } from './store-message.ts'

type Composed = Result<{ readonly draft: Draft; readonly jobId?: JobId }, MessageFailure>

/** Stores a message that a person or the engine sends, once per key, and notifies its readers. */
export async function storeForeign(
  needs: MessageNeeds,
  sender: 'person' | 'engine',
  key: string | undefined,
  compose: (records: Records) => Promise<Composed>,
): Promise<Result<Message, MessageFailure>> {
  const stored = await needs.store.transact(async (records) => {
    const sent = key === undefined ? undefined : await findSent(records, sender, key)
    if (sent?.known !== undefined) return success({ message: sent.known, readers: [] })
    const composed = await compose(records)
    if (!composed.ok) return composed
    const { draft, ...job } = composed.value
    const keyed = withoutUndefined({ dedupeKey: sent?.dedupeKey })
    const made = newMessage(needs, { sender, ...job, ...keyed }, draft)
    if (!made.ok) return made
    const place = await placeOfRecipient(records, made.value.message)
    return success(await storeMessage(needs, records, asSent(made.value, false), { actor: sender, place }))
  })
  if (!stored.ok) return stored
  await nudge(needs, stored.value.message, stored.value.readers)
  return success(stored.value.message)
}

/** A message for one session belongs to the task that the session works on, so that the task's log has it. */
async function placeOfRecipient(
  records: Records,
  { recipient }: Pick<Message, 'recipient'>,
): Promise<EventPlace | undefined> {
  const id = parseId('session', recipient)
  const session = id === undefined ? undefined : await records.sessions.find(id)
  return session === undefined ? undefined : await findPlace(records, session)
}
