import { encodeBatch } from './encode-batch.ts'
import type { SseMessage } from './sse-message.ts'

const PAGE_SIZE = 500
const SMALLEST_PAGE = 16
const GROWTH = 32

export type EncodedPage<Item> = {
  readonly text: string
  readonly sent: readonly Item[]
  readonly isMore: boolean
}

/**
 * Reads pages and encodes as much of each as one write takes; the rest is read again later instead of being
 * held. Large events make the next page smaller, so that little is read in vain.
 */
export function createPageReader<Item>(
  read: (limit: number) => Promise<readonly Item[]>,
  toMessage: (item: Item) => SseMessage,
): () => Promise<EncodedPage<Item>> {
  let limit = PAGE_SIZE
  return async () => {
    const page = await read(limit)
    const { text, count } = encodeBatch(page.map(toMessage))
    const isMore = count < page.length || page.length === limit
    // As many as fitted, and a few more when all did.
    limit = count < page.length ? Math.max(SMALLEST_PAGE, count) : Math.min(PAGE_SIZE, limit + GROWTH)
    return { text, sent: page.slice(0, count), isMore }
  }
}
