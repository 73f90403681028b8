import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { systemErrorCode } from '../process/system-error.ts'
import type { ObjectFormat } from '../repository/object-id.ts'

/** A link, a pipe that would block, a folder: none of them is read. */
const PLAIN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const CHUNK_BYTES = 256 * 1024

/** The id that git gives to the bytes of a file as they are; nothing when it is no file that can be read. */
export async function rawIdOf(path: Buffer, format: ObjectFormat): Promise<string | undefined> {
  return await withFile(path, async (file, size) => {
    const digest = createHash(format).update(`blob ${size}\0`)
    for await (const chunk of chunksOf(file)) digest.update(chunk)
    return digest.digest('hex')
  })
}

export async function hasSameBytes(one: Buffer, other: Buffer): Promise<boolean> {
  const sizes = await Promise.all([one, other].map((path) => withFile(path, async (_, size) => size)))
  if (sizes[0] === undefined || sizes[0] !== sizes[1]) return false
  const [first, second] = await Promise.all([rawIdOf(one, 'sha256'), rawIdOf(other, 'sha256')])
  return first !== undefined && first === second
}

async function withFile<Value>(
  path: Buffer,
  use: (file: FileHandle, size: number) => Promise<Value>,
): Promise<Value | undefined> {
  try {
    await using file = await open(path, PLAIN_FILE)
    const seen = await file.stat()
    return seen.isFile() ? await use(file, seen.size) : undefined
  } catch (error) {
    // Whatever the system says of a file an agent made: there is nothing to be read from it.
    if (systemErrorCode(error) === undefined) throw error
    return undefined
  }
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}
