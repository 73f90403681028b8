import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** The bytes that a directory occupies on the disk. What disappears meanwhile, or can't be read, counts as nothing. */
export async function bytesUsedBy(path: string): Promise<number> {
  try {
    const found = await lstat(path)
    const own = found.blocks === undefined ? found.size : found.blocks * 512
    return found.isDirectory() ? own + (await bytesInside(path)) : own
  } catch (error) {
    if (isGoneOrClosed(error)) return 0
    throw error
  }
}

/** One entry after the other, so that even millions of files neither fill the memory nor hold up the daemon. */
async function bytesInside(directory: string): Promise<number> {
  let bytes = 0
  for await (const entry of await opendir(directory)) bytes += await bytesUsedBy(join(directory, entry.name))
  return bytes
}

function isGoneOrClosed(error: unknown): boolean {
  const codes: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']
  return error instanceof Error && 'code' in error && codes.includes(error.code)
}
