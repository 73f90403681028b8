import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a directory and its missing parents, one level at a time. On a file system that allows no directories, such
 * as /proc, this fails at once, while a recursive mkdir retries forever.
 */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  if (await exists(path)) return
  const parent = dirname(path)
  if (parent !== path) await makeDirectory(parent, mode)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // Another process may have created it meanwhile. If it is a file, using it will fail.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
