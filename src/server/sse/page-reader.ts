import { HTTP_LIMITS } from '../../domain/limits/http-limits.ts'
import { encodeMessage, type SseMessage } from './sse-message.ts'

const SMALLEST_PAGE = 16
const GROWTH = 32

export type EncodedPage<Item> = {
  readonly text: string
  readonly sent: readonly Item[]
  readonly isMore: boolean
}

/**
 * Reads pages and encodes as much of each as fits into one write; the rest is read again later instead of being kept.
 * Large events make the next page smaller, so little is read in vain.
 */
export function createPageReader<Item>(
  read: (limit: number) => Promise<readonly Item[]>,
  toMessage: (item: Item) => SseMessage,
): () => Promise<EncodedPage<Item>> {
  let limit: number = HTTP_LIMITS.streamPage
  return async () => {
    const page = await read(limit)
    const { text, count } = encodeBatch(page.map(toMessage))
    const isMore = count < page.length || page.length === limit
    // As many as fitted, or a few more if all did.
    limit =
      count < page.length ? Math.max(SMALLEST_PAGE, count) : Math.min(HTTP_LIMITS.streamPage, limit + GROWTH)
    return { text, sent: page.slice(0, count), isMore }
  }
}

/** Encodes as many of the first messages as fit into one write, and at least one. */
function encodeBatch(messages: readonly SseMessage[]): {
  readonly text: string
  readonly count: number
} {
  const parts: string[] = []
  let bytes = 0
  for (const message of messages) {
    const part = encodeMessage(message)
    bytes += Buffer.byteLength(part)
    if (parts.length > 0 && bytes > HTTP_LIMITS.streamWriteBytes) break
    parts.push(part)
  }
  return { text: parts.join(''), count: parts.length }
}
