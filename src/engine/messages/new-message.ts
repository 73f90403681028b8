import { cleanText } from '../../domain/clean-text.ts'
import { MESSAGE_LIMITS } from '../../domain/limits/message-limits.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageContent } from '../../domain/message/message-content.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { MessageNeeds } from './message-needs.ts'

/** The content of a message that has no id and no receipt yet. */
export type Draft = Pick<Message, 'recipient' | 'body'> &
  Partial<Pick<Message, 'subject' | 'inReplyTo'>> & { readonly content: MessageContent }

export type Envelope = Pick<Message, 'sender'> & Partial<Pick<Message, 'jobId' | 'dedupeKey'>>

/** Makes a queued message. Empty and oversized messages are refused. */
export function newMessage(
  needs: Pick<MessageNeeds, 'ids' | 'clock'>,
  envelope: Envelope,
  draft: Draft,
): Result<Message, MessageFailure> {
  const body = cleanText(draft.body)
  if (body.trim() === '') return failure({ type: 'message-empty' })
  const tooLarge = oversize('body', body) ?? oversize('metadata', JSON.stringify(draft.content.metadata))
  if (tooLarge !== undefined) return failure(tooLarge)
  return success({
    id: needs.ids.next('message'),
    ...envelope,
    recipient: draft.recipient,
    ...draft.content,
    subject: cleanText(draft.subject ?? '').slice(0, MESSAGE_LIMITS.subjectCharacters),
    body,
    ...(draft.inReplyTo === undefined ? {} : { inReplyTo: draft.inReplyTo }),
    state: { type: 'queued' },
    version: 1,
    createdAt: needs.clock.now(),
  })
}

function oversize(part: 'body' | 'metadata', text: string): MessageFailure | undefined {
  const bytes = new TextEncoder().encode(text).length
  const limit = part === 'body' ? MESSAGE_LIMITS.bodyBytes : MESSAGE_LIMITS.metadataBytes
  return bytes > limit ? { type: 'message-too-large', part, bytes, limit } : undefined
}
