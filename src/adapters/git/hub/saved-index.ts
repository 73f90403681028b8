import { copyFile, rename, stat, utimes } from 'node:fs/promises'

const MARGIN_MICROSECONDS = 2n

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
