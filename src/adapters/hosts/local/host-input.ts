import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { systemErrorCode } from '../../../domain/system-error.ts'
import { isAbsence } from '../shared/read-if-present.ts'
import type { HostFiles } from './host-files.ts'

/**
 * Writes bytes at an offset of the program's input and wakes the feeder. Refuses to leave a gap, which the program
 * would read as zeros: everything before the offset must have been written already.
 */
export async function writeInput(files: HostFiles, offset: number, bytes: Uint8Array): Promise<void> {
  const wasThere = await withFile(files.in, constants.O_WRONLY | constants.O_CREAT, async (file) => {
    const { size } = await file.stat()
    if (offset > size) throw new Error(`input at ${offset} would leave a gap after ${size} in ${files.in}`)
    await writeAll(file, offset, bytes)
  })
  if (wasThere) await ring(files)
}

/** Marks the end of the input. The feeder looks for the mark before it reads the rest. */
export async function endInput(files: HostFiles): Promise<void> {
  const wasThere = await withFile(files.inEnd, constants.O_WRONLY | constants.O_CREAT, async () => {})
  if (wasThere) await ring(files)
}

/** Wakes the feeder. Has no effect if there is no feeder, or if the pipe is full of earlier rings. */
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

/** False if the session has no directory. */
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

/** ENXIO: no one reads the pipe. EPIPE: its reader has just ended. EAGAIN: the pipe is full. */
function isUnheard(error: unknown): boolean {
  return ['ENXIO', 'EPIPE', 'EAGAIN'].includes(systemErrorCode(error) ?? '')
}
