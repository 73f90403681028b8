import { parseId, type SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageKind } from '../../domain/message/message-content.ts'
import { parseRecipient } from '../../domain/message/recipient.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Reads } from './find-record.ts'
import { firstPage, type Page, type PageInput } from './page.ts'

export type MessagesInput = PageInput & {
  readonly job?: string | undefined
  /** Messages sent by this session, or addressed to it by its id. */
  readonly session?: string | undefined
  readonly sender?: SessionId | undefined
  readonly recipient?: string | undefined
  readonly kind?: MessageKind | undefined
}

/** Newest first. Text that is not an id or an address matches no messages. */
export async function listMessages(needs: Reads, input: MessagesInput): Promise<Page<Message>> {
  const { limit, cursor, job, session, sender, recipient, kind } = input
  const jobId = job === undefined ? undefined : parseId('job', job)
  const sessionId = session === undefined ? undefined : parseId('session', session)
  const address = recipient === undefined ? undefined : parseRecipient(recipient)
  const isUnknown =
    (job !== undefined && jobId === undefined) ||
    (session !== undefined && sessionId === undefined) ||
    (recipient !== undefined && address === undefined)
  if (isUnknown) return { items: [] }
  const filter = withoutUndefined({ jobId, sessionId, sender, recipient: address, kind })
  const page = withoutUndefined({ limit: limit + 1, cursor })
  return firstPage(await needs.store.read.messages.list(filter, page), limit)
}
