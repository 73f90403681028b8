import type { NewEvent } from '../../domain/event/event.ts'
import type { EventPlace } from '../../domain/event/event-place.ts'
import type { SessionId } from '../../domain/id.ts'
import { MESSAGE_LIMITS } from '../../domain/limits/message-limits.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import { type Author, findAuthor } from './author.ts'
import { findSent } from './find-sent.ts'
import type { MessageNeeds } from './message-needs.ts'
import { type Draft, newMessage } from './new-message.ts'
import { asSent, type Stored, storeMessage } from './store-message.ts'

export type Post = Draft & {
  /** Replaces the event that a message was sent. */
  readonly event?: (place: EventPlace) => NewEvent
  /** No one has to act on it, so it counts as acknowledged when it is stored. */
  readonly isSettled?: boolean
}

type Compose = (records: Records, author: Author) => Promise<Result<Post, MessageFailure>>

/**
 * Stores a session's message in one transaction. Sending it again with the same key returns the first message, without
 * readers.
 */
export async function postMessage(
  needs: MessageNeeds,
  sessionId: SessionId,
  key: string | undefined,
  compose: Compose,
): Promise<Result<Stored, MessageFailure>> {
  return await needs.store.transact(async (records) => {
    const author = await findAuthor(records, sessionId)
    if (author === undefined) return failure({ type: 'session-over' })
    const { count, dedupeKey, known } = await findSent(records, sessionId, key)
    if (known !== undefined) return success({ message: known, readers: [] })
    const limit = MESSAGE_LIMITS.perSession
    if (count >= limit) return failure({ type: 'too-many-messages', limit })
    const post = await compose(records, author)
    if (!post.ok) return post
    return await store(needs, records, author, post.value, dedupeKey)
  })
}

async function store(
  needs: MessageNeeds,
  records: Records,
  author: Author,
  { event, isSettled = false, ...draft }: Post,
  dedupeKey: string | undefined,
): Promise<Result<Stored, MessageFailure>> {
  const { id: sender, jobId, role: senderRole } = author.session
  const envelope = { sender, senderRole, ...withoutUndefined({ jobId, dedupeKey }) }
  const thread = author.runId === undefined ? {} : { threadId: author.runId }
  const made = newMessage(needs, envelope, { ...thread, ...draft })
  if (!made.ok) return made
  const { wholeBody } = made.value.message
  const limit = MESSAGE_LIMITS.wholeBytesPerSession
  if (wholeBody !== undefined && (await records.messages.wholeBytesFrom(sender)) + wholeBody.bytes > limit)
    return failure({ type: 'too-much-text', limit })
  const { place } = author
  const sending = { actor: 'agent', place, event: event?.(place) } as const
  return success(await storeMessage(needs, records, asSent(made.value, isSettled), sending))
}
