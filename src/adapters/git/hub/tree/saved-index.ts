import { copyFile, rename, stat, utimes } from 'node:fs/promises'

const MARGIN_MICROSECONDS = 2n

/**
 * Tells git that no file of an untouched tree has changed since the index was written. Git reads a file again if its
 * time is in the same second as the index's. This does nothing until that second is over, because a later change must
 * have a different time.
 */
export async function settleIndex(path: string): Promise<void> {
  const { mtimeMs } = await stat(path)
  const now = Date.now()
  if (Math.floor(now / 1000) > Math.floor(mtimeMs / 1000)) await utimes(path, now / 1000, now / 1000)
}

/**
 * Copies an index with its time. Git compares that time with each file's to find files that may have changed in the
 * same tick. An earlier time is safe and only makes git read more files. A later time would hide changes.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeNs } = await stat(from, { bigint: true })
  const seconds = Number(mtimeNs / 1000n - MARGIN_MICROSECONDS) / 1e6
  const temporary = `${to}.tmp`
  await copyFile(from, temporary)
  await utimes(temporary, seconds, seconds)
  await rename(temporary, to)
}
