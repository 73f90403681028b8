import type { NewEvent } from '../../domain/event/event.ts'
import type { EventPlace } from '../../domain/event/event-place.ts'
import type { SessionId } from '../../domain/id.ts'
import { MESSAGE_LIMITS } from '../../domain/limits/message-limits.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { nextMessageState } from '../../domain/message/next-message-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import { messageChange } from '../receipts/message-change.ts'
import { type Author, findAuthor } from './author.ts'
import { findReaders } from './find-recipient.ts'
import type { MessageNeeds } from './message-needs.ts'
import { type Draft, newMessage } from './new-message.ts'

export type Post = Draft & {
  /** Replaces the event that a message was sent. */
  readonly event?: (place: EventPlace) => NewEvent
  /** No one has to act on it, so it counts as acknowledged when it is stored. */
  readonly isSettled?: boolean
}

export type Posted = {
  readonly message: Message
  /** The live sessions that may read it; none if the message was sent before. */
  readonly readers: readonly SessionId[]
}

type Compose = (records: Records, author: Author) => Promise<Result<Post, MessageFailure>>

/** Stores a session's message in one transaction. Sending it again with the same key returns the first message. */
export async function postMessage(
  needs: MessageNeeds,
  sessionId: SessionId,
  key: string | undefined,
  compose: Compose,
): Promise<Result<Posted, MessageFailure>> {
  return await needs.store.transact(async (records) => {
    const author = await findAuthor(records, sessionId)
    if (author === undefined) return failure({ type: 'session-over' })
    // Counting locks the sender, so the same message sent twice at once is stored once.
    const count = await records.messages.countFrom(sessionId)
    const dedupeKey = key?.slice(0, MESSAGE_LIMITS.keyCharacters)
    const known = dedupeKey === undefined ? undefined : await records.messages.findByKey(sessionId, dedupeKey)
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
  post: Post,
  dedupeKey: string | undefined,
): Promise<Result<Posted, MessageFailure>> {
  const { id: sender, jobId } = author.session
  const envelope = {
    sender,
    ...(jobId === undefined ? {} : { jobId }),
    ...(dedupeKey === undefined ? {} : { dedupeKey }),
  }
  const made = newMessage(needs, envelope, post)
  if (!made.ok) return made
  const message = post.isSettled === true ? settled(made.value) : made.value
  const change = messageChange(message, 'agent', 'message_sent', author.place)
  const event = post.event?.(author.place)
  await records.messages.insert(message, event === undefined ? change : { ...change, events: [event] })
  const readers = (await findReaders(records, message)).map((session) => session.id)
  return success({ message, readers })
}

function settled(message: Message): Message {
  const given = nextMessageState(message.state, { type: 'message-delivery', to: 'engine' })
  if (!given.ok) return message
  const taken = nextMessageState(given.value, { type: 'message-acknowledge', by: 'engine' })
  if (!taken.ok) return message
  const { createdAt: at } = message
  return { ...message, state: taken.value, deliveredAt: at, endedAt: at }
}
