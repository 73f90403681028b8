import { open } from 'node:fs/promises'

const WINDOW_BYTES = 16_384

/** The last lines a daemon wrote into its log after `offset`; none when it said nothing. */
export async function logTail(path: string, offset: number, count: number): Promise<readonly string[]> {
  const file = await open(path, 'r').catch(() => undefined)
  // A log that cannot be opened has nothing to add to the problem it was to explain.
  if (file === undefined) return []
  try {
    const { size } = await file.stat()
    const start = Math.max(offset, size - WINDOW_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(WINDOW_BYTES), 0, WINDOW_BYTES, start)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    return lines.filter((line) => line.trim() !== '').slice(-count)
  } finally {
    await file.close()
  }
}
