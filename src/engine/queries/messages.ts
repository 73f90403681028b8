import { parseId, type SessionId } from '../../domain/id.ts'
import type { Message, ThreadId } from '../../domain/message/message.ts'
import type { MessageKind } from '../../domain/message/message-content.ts'
import type { MessageType } from '../../domain/message/message-type.ts'
import { parseRecipient } from '../../domain/message/recipient.ts'
import { type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { MessageFilter } from '../../ports/store/message-records.ts'
import { findRecord, type NotFound, type Reads } from './find-record.ts'
import { firstPage, type Page, type PageInput } from './page.ts'

export type MessagesInput = PageInput & {
  readonly job?: string | undefined
  /** Messages sent by this session, or addressed to it by its id. */
  readonly session?: string | undefined
  readonly sender?: SessionId | undefined
  readonly recipient?: string | undefined
  readonly kind?: MessageKind | undefined
  readonly type?: MessageType | undefined
  /** One conversation, in which each broadcast is listed once. `run` is the conversation of a run. */
  readonly thread?: string | undefined
  readonly run?: string | undefined
  readonly role?: string | undefined
  readonly since?: string | undefined
}

/** Newest first. Text that is not an id or an address matches no messages. */
export async function listMessages(needs: Reads, input: MessagesInput): Promise<Page<Message>> {
  const filter = filterOf(input)
  if (filter === undefined) return { items: [] }
  const { limit, cursor } = input
  const page = withoutUndefined({ limit: limit + 1, cursor })
  return firstPage(await needs.store.read.messages.list(filter, page), limit)
}

/** A message with its whole text. */
export async function showMessage(needs: Reads, text: string): Promise<Result<Message, NotFound>> {
  const { messages } = needs.store.read
  const found = await findRecord('message', text, (id) => messages.find(id))
  if (!found.ok || found.value.wholeBody === undefined) return found
  const body = await messages.findBody(found.value.wholeBody.id)
  return success(body === undefined ? found.value : { ...found.value, body })
}

/** Undefined if nothing can match. */
function filterOf(input: MessagesInput): MessageFilter | undefined {
  const { job, session, recipient, sender, kind, type, role, since } = input
  const thread = input.run ?? input.thread
  const jobId = job === undefined ? undefined : parseId('job', job)
  const sessionId = session === undefined ? undefined : parseId('session', session)
  const address = recipient === undefined ? undefined : parseRecipient(recipient)
  const threadId = thread === undefined ? undefined : parseThread(thread)
  const isUnknown =
    isAbsent(job, jobId) ||
    isAbsent(session, sessionId) ||
    isAbsent(recipient, address) ||
    isAbsent(thread, threadId)
  if (isUnknown) return undefined
  return {
    ...withoutUndefined({ jobId, sessionId, sender, recipient: address, kind, type, role, threadId }),
    ...(since === undefined ? {} : { since: new Date(since) }),
    ...(threadId === undefined ? {} : { isConversation: true }),
  }
}

function isAbsent(text: string | undefined, parsed: unknown): boolean {
  return text !== undefined && parsed === undefined
}

function parseThread(text: string): ThreadId | undefined {
  return parseId('run', text) ?? parseId('message', text)
}
