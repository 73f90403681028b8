import { cleanText } from '../../domain/clean-text.ts'
import { MESSAGE_LIMITS } from '../../domain/limits/message-limits.ts'
import type { Message, WholeBody } from '../../domain/message/message.ts'
import type { MessageContent } from '../../domain/message/message-content.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { usualTypeOf } from '../../domain/message/message-type.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Change } from '../../ports/store/change.ts'
import type { Records } from '../../ports/store/store.ts'
import type { MessageNeeds } from './message-needs.ts'

/** The content of a message that has no id and no receipt yet. Without a thread, it starts one. */
export type Draft = Pick<Message, 'recipient' | 'body'> &
  Partial<
    Pick<
      Message,
      | 'type'
      | 'priority'
      | 'threadId'
      | 'recipientRole'
      | 'subject'
      | 'inReplyTo'
      | 'requiresResponse'
      | 'deadline'
    >
  > & { readonly content: MessageContent }

export type Envelope = Pick<Message, 'sender'> & Partial<Pick<Message, 'jobId' | 'senderRole' | 'dedupeKey'>>

/** A message that isn't stored yet, and its text if that is too long for it. */
export type NewMessage = { readonly message: Message; readonly whole?: WholeBody }

/** Muster acts on the text of the others itself, so they have it whole. */
const MAY_BE_LARGE: readonly MessageContent['kind'][] = ['text', 'question', 'answer', 'output']

/** Makes a queued message. Empty and oversized messages are refused. */
export function newMessage(
  needs: Pick<MessageNeeds, 'ids' | 'clock'>,
  envelope: Envelope,
  { content, subject = '', body: given, priority = 'normal', ...draft }: Draft,
): Result<NewMessage, MessageFailure> {
  const body = cleanText(given)
  if (body.trim() === '') return failure({ type: 'message-empty' })
  const bytes = bytesOf(body)
  const most = MAY_BE_LARGE.includes(content.kind) ? MESSAGE_LIMITS.wholeBodyBytes : MESSAGE_LIMITS.bodyBytes
  const metadata = bytesOf(JSON.stringify(content.metadata))
  const tooLarge =
    oversize('body', bytes, most) ?? oversize('metadata', metadata, MESSAGE_LIMITS.metadataBytes)
  if (tooLarge !== undefined) return failure(tooLarge)
  const id = needs.ids.next('message')
  const { jobId } = envelope
  const isWhole = bytes > MESSAGE_LIMITS.bodyBytes
  const message: Message = {
    id,
    type: usualTypeOf(content.kind),
    threadId: id,
    requiresResponse: content.kind === 'question',
    ...envelope,
    ...withoutUndefined(draft),
    ...content,
    priority,
    subject: cleanText(subject).slice(0, MESSAGE_LIMITS.subjectCharacters),
    body: isWhole ? body.slice(0, MESSAGE_LIMITS.previewCharacters) : body,
    ...(isWhole ? { wholeBody: { id, bytes } } : {}),
    state: { type: 'queued' },
    version: 1,
    createdAt: needs.clock.now(),
  }
  return success(isWhole ? { message, whole: withoutUndefined({ id, jobId, text: body }) } : { message })
}

/** Stores a message and, before it, its long text. */
export async function insertMessage(
  records: Records,
  { message, whole }: NewMessage,
  change: Change,
): Promise<void> {
  if (whole !== undefined) await records.messages.insertBody(whole)
  await records.messages.insert(message, change)
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

function oversize(part: 'body' | 'metadata', bytes: number, limit: number): MessageFailure | undefined {
  return bytes > limit ? { type: 'message-too-large', part, bytes, limit } : undefined
}
