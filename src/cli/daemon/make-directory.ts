import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * A directory and those above it that are missing, level by level: in a file system that takes no directories, such
 * as /proc, a recursive mkdir tries for ever, and this fails at once.
 */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  if (await exists(path)) return
  const parent = dirname(path)
  if (parent !== path) await makeDirectory(parent, mode)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // Somebody else made it in the meantime, which is as good; a file in its place is found when it is used.
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
