import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises'
import { ignoreCodes, systemErrorCode } from './system-error.ts'
import { leftoversOf, removalPlaceOf, savedIndexOf } from './tree-places.ts'

const SEPARATOR = Buffer.from('/')

/** Moves the tree out of its name first, so that no death leaves half of it there. */
export async function removeTree(directory: string): Promise<void> {
  await rename(directory, removalPlaceOf(directory)).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  await removeLeftovers(directory)
  await rm(savedIndexOf(directory), { force: true })
}

export async function removeLeftovers(directory: string): Promise<void> {
  for (const leftover of await leftoversOf(directory)) await removeAll(leftover)
}

/** Removes whatever an agent may have made there; links are removed, never followed. */
export async function removeAll(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    const code = systemErrorCode(error)
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOTEMPTY') throw error
    // Folders without write permission: opened, then tried once more.
    await openFolders(Buffer.from(path))
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Paths as bytes: an agent's file names need not be text. */
async function openFolders(path: Buffer): Promise<void> {
  const seen = await lstat(path).catch(ignoreCodes('ENOENT'))
  if (!seen?.isDirectory()) return
  await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true, encoding: 'buffer' })) {
    if (entry.isDirectory()) await openFolders(Buffer.concat([path, SEPARATOR, entry.name]))
  }
}
