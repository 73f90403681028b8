import { randomUUID } from 'node:crypto'
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises'
import { ignoreCodes, systemErrorCode } from '../../../../domain/system-error.ts'
import { leftoversOf, removalPlaceOf, savedIndexesOf } from './tree-places.ts'

const SEPARATOR = Buffer.from('/')
/** Missing permissions, new files from a process that is about to end, or a path that is too long. */
const REMEDIED = ['EACCES', 'EPERM', 'ENOTEMPTY', 'ENAMETOOLONG']
const DEEPEST_BYTES = 1000

/** Renames the tree before removing it, so that a crash can't leave half a tree under its name. */
export async function removeTree(directory: string): Promise<void> {
  await rename(directory, removalPlaceOf(directory)).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  await removeLeftovers(directory)
  for (const saved of await savedIndexesOf(directory)) await rm(saved, { force: true })
}

export async function removeLeftovers(directory: string): Promise<void> {
  for (const leftover of await leftoversOf(directory)) await removeAll(leftover)
}

/** Removes a directory, whatever an agent has put there. Removes links without following them. */
export async function removeAll(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    if (!REMEDIED.includes(systemErrorCode(error) ?? '')) throw error
    await openFolders(Buffer.from(path))
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Makes all folders writable and moves up those that are too deep for a path. Names may be any bytes. */
async function openFolders(root: Buffer): Promise<void> {
  if (!(await lstat(root)).isDirectory()) return
  const folders = [root]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    await chmod(folder, 0o700)
    for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
      if (!entry.isDirectory()) continue
      const child = Buffer.concat([folder, SEPARATOR, entry.name])
      folders.push(child.length - root.length < DEEPEST_BYTES ? child : await moveUp(root, child))
    }
  }
}

async function moveUp(root: Buffer, folder: Buffer): Promise<Buffer> {
  const place = Buffer.concat([root, SEPARATOR, Buffer.from(randomUUID())])
  await chmod(folder, 0o700)
  await rename(folder, place)
  return place
}
