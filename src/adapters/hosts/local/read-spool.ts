import { open } from 'node:fs/promises'
import { isAbsence } from './read-if-present.ts'

const NOTHING = new Uint8Array()

/** At most `limit` bytes of a file from `offset` on; none at its end or when it is absent. */
export async function readSpool(path: string, offset: number, limit: number): Promise<Uint8Array> {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    const wanted = Math.min(limit, size - offset)
    if (wanted <= 0) return NOTHING
    const { buffer, bytesRead } = await file.read(new Uint8Array(wanted), 0, wanted, offset)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    if (isAbsence(error)) return NOTHING
    throw error
  }
}
