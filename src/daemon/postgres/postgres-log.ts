import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { isSystemError } from './system-error.ts'

const LARGEST_LOG_BYTES = 8 * 2 ** 20
const TAIL_BYTES = 16 * 2 ** 10
const TAIL_LINES = 20

/** Opened here and inherited by the server, so that its user needs no right to the folder of logs. */
export async function openPostgresLog(path: string): Promise<FileHandle> {
  if ((await sizeOf(path)) > LARGEST_LOG_BYTES) await rename(path, `${path}.1`)
  return open(path, 'a+', 0o600)
}

/** The last lines written after `from`. */
export async function readLogTail(log: FileHandle, from: number): Promise<readonly string[]> {
  const { size } = await log.stat()
  const start = Math.max(from, size - TAIL_BYTES)
  const { buffer, bytesRead } = await log.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start)
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
  return lines.filter((line) => line.trim() !== '').slice(-TAIL_LINES)
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return 0
    throw error
  }
}
