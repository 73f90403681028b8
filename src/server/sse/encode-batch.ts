import { encodeMessage, type SseMessage } from './sse-message.ts'

/** With what a socket holds before it says so, well under the 256 KiB that a client may have queued. */
export const MAX_BATCH_BYTES = 128 * 1024

/** As many messages from the front as fit into one write, and at least one. */
export function encodeBatch(messages: readonly SseMessage[]): {
  readonly text: string
  readonly count: number
} {
  const parts: string[] = []
  let bytes = 0
  for (const message of messages) {
    const part = encodeMessage(message)
    bytes += Buffer.byteLength(part)
    if (parts.length > 0 && bytes > MAX_BATCH_BYTES) break
    parts.push(part)
  }
  return { text: parts.join(''), count: parts.length }
}
