import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { HostFiles } from './host-files.ts'
import { isAbsence } from './read-if-present.ts'

/**
 * Puts bytes at an offset of what is said to the program, and tells the feeder. A gap would reach the program as
 * zeros, so it is refused: what comes before must have been written before.
 */
export async function writeInput(files: HostFiles, offset: number, bytes: Uint8Array): Promise<void> {
  const wasThere = await withFile(files.in, constants.O_WRONLY | constants.O_CREAT, async (file) => {
    const { size } = await file.stat()
    if (offset > size) throw new Error(`input at ${offset} would leave a gap after ${size} in ${files.in}`)
    await writeAll(file, offset, bytes)
  })
  if (wasThere) await ring(files)
}

/** Marks the end, which the feeder looks for before it reads what is left. */
export async function endInput(files: HostFiles): Promise<void> {
  const wasThere = await withFile(files.inEnd, constants.O_WRONLY | constants.O_CREAT, async () => {})
  if (wasThere) await ring(files)
}

/** Wakes the feeder; nothing when there is none, or when it was rung for often and has not come yet. */
export async function ring(files: HostFiles): Promise<void> {
  try {
    await using bell = await open(files.bell, constants.O_WRONLY | constants.O_NONBLOCK)
    await bell.write('\n')
  } catch (error) {
    if (!isAbsence(error) && !isUnheard(error)) throw error
  }
}

async function writeAll(file: FileHandle, offset: number, bytes: Uint8Array): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, offset + written)
    written += bytesWritten
  }
}

/** Whether the session has a directory to open the file in. */
async function withFile(
  path: string,
  flags: number,
  use: (file: FileHandle) => Promise<void>,
): Promise<boolean> {
  const file = await open(path, flags, 0o600).catch((error: unknown) => {
    if (isAbsence(error)) return undefined
    throw error
  })
  if (file === undefined) return false
  await using closing = file
  await use(closing)
  return true
}

/** ENXIO: nobody reads the pipe. EPIPE: it went away in this moment. EAGAIN: the pipe is full of rings. */
function isUnheard(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENXIO' || code === 'EPIPE' || code === 'EAGAIN'
}
