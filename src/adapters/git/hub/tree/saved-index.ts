import { copyFile, rename, stat, utimes } from 'node:fs/promises'

const MARGIN_MICROSECONDS = 2n

/**
 * Tells git that no file has changed since the index was written: for a tree that nobody has touched. While an
 * index is as old as its files to the second, git reads all of them again whenever it is asked about them. Only
 * once that second is over: whatever is written from now on then has another time.
 */
export async function settleIndex(path: string): Promise<void> {
  const { mtimeMs } = await stat(path)
  const now = Date.now()
  if (Math.floor(now / 1000) > Math.floor(mtimeMs / 1000)) await utimes(path, now / 1000, now / 1000)
}

/**
 * Copies an index with its time. Git compares that time with each file's to see which files may have changed
 * since in the same tick: earlier is safe and only means more reading, later would hide changes.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeNs } = await stat(from, { bigint: true })
  const seconds = Number(mtimeNs / 1000n - MARGIN_MICROSECONDS) / 1e6
  const temporary = `${to}.tmp`
  await copyFile(from, temporary)
  await utimes(temporary, seconds, seconds)
  await rename(temporary, to)
}
