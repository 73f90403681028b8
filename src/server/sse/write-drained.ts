import type { Writable } from 'node:stream'

/**
 * Writes and waits until the client has room again. A client that takes nothing for `stallMs` is cut off:
 * it can come back and go on where it was, and holding its events for it would grow without end.
 */
export async function writeDrained(outgoing: Writable, text: string, stallMs: number): Promise<void> {
  if (outgoing.destroyed || outgoing.write(text)) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(), stallMs)
    const end = () => {
      clearTimeout(timer)
      outgoing.off('drain', end)
      outgoing.off('close', end)
      resolve()
    }
    outgoing.on('drain', end)
    outgoing.on('close', end)
  })
}
