import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type TemporaryDirectory, temporaryDirectory } from '../../support/temporary-directory.ts'

const MEMORY_DISK = '/dev/shm'
const NEEDED_BYTES = 4 * 1024 ** 3

/**
 * The directory for working trees: in memory if there is room, so that the disk does not dominate the figures. Git gains
 * the most from that, because it writes the most files.
 */
export async function openTreesDisk(): Promise<TemporaryDirectory> {
  if (!(await hasMemoryDisk())) return await temporaryDirectory('muster-bench-trees')
  const path = await mkdtemp(join(MEMORY_DISK, 'muster-bench-trees-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

async function hasMemoryDisk(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY_DISK)
    return bavail * bsize > NEEDED_BYTES
  } catch {
    // This system has no memory disk.
    return false
  }
}
