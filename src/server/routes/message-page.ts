import type { Page } from '../../contract/envelope.ts'
import type { WireMessage } from '../../contract/message.ts'
import type { MessageFilter, MessageRecords } from '../../ports/store/message-records.ts'
import { messageToWire } from '../render/message-to-wire.ts'

/** One page of letters, newest first; one more than shown is read to know of a next page. */
export async function messagePage(
  messages: MessageRecords,
  filter: MessageFilter,
  query: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<WireMessage>> {
  const { limit, cursor } = query
  const read = await messages.list(filter, { limit: limit + 1, ...(cursor === undefined ? {} : { cursor }) })
  const items = read.slice(0, limit).map(messageToWire)
  const last = items.at(-1)
  return { items, ...(read.length > limit && last !== undefined ? { nextCursor: last.id } : {}) }
}
