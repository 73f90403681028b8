import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { OutboxFile, ParseMessage } from '../../../ports/outbox.ts'

const MAX_BYTES = 256 * 1024
// Neither follows a link nor waits for a writer of a FIFO.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

/** Reads one file as a message or as an unusable file. Undefined if it no longer exists. */
export async function readOutboxFile(
  parse: ParseMessage,
  directory: string,
  name: string,
): Promise<OutboxFile | undefined> {
  let handle: FileHandle
  try {
    handle = await open(join(directory, name), FLAGS)
  } catch (error) {
    return unopened(name, error as NodeJS.ErrnoException)
  }
  try {
    const { ino, mtimeNs, size, nlink, isRegular } = await factsOf(handle)
    const found = { name, key: fileKey(name, ino, mtimeNs) }
    const unusable = (reason: string): OutboxFile => ({ ...found, type: 'unusable', reason })
    if (!isRegular) return unusable('it is not a regular file')
    // A hard link may name a file that the agent can't read. Its text must not become a message.
    if (nlink > 1) return unusable('it has other hard links; write a file and rename it instead')
    if (size > MAX_BYTES) return unusable(`it is larger than ${MAX_BYTES} bytes`)
    const text = await readBounded(handle)
    if (!text.ok) return unusable(text.failure)
    const request = parse(text.value)
    return request.ok ? { ...found, type: 'message', request: request.value } : unusable(request.failure)
  } finally {
    await handle.close()
  }
}

/** Identifies one file. A later file with the same name has a different key. The name is last: it may be cut. */
export function fileKey(name: string, ino: bigint, mtimeNs: bigint): string {
  return `outbox:${ino}:${mtimeNs}:${name}`
}

async function factsOf(handle: FileHandle) {
  const found = await handle.stat({ bigint: true })
  return {
    ino: found.ino,
    mtimeNs: found.mtimeNs,
    size: Number(found.size),
    nlink: Number(found.nlink),
    isRegular: found.isFile(),
  }
}

/** Reads up to a limit, because a file may grow while it is read. */
async function readBounded(handle: FileHandle): Promise<Result<string, string>> {
  const buffer = Buffer.alloc(MAX_BYTES + 1)
  let filled = 0
  for (;;) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled)
    if (bytesRead === 0) return success(buffer.toString('utf8', 0, filled))
    filled += bytesRead
    if (filled > MAX_BYTES) return failure(`it is larger than ${MAX_BYTES} bytes`)
  }
}

function unopened(name: string, error: NodeJS.ErrnoException): OutboxFile | undefined {
  if (error.code === 'ENOENT') return undefined
  const reason =
    error.code === 'ELOOP' || error.code === 'EMLINK'
      ? 'it is a link'
      : `it cannot be opened (${error.code ?? 'unknown'})`
  return { type: 'unusable', name, key: `outbox:unopened:${name}`, reason }
}
