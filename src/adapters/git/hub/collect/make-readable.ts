import { chmod, lstat } from 'node:fs/promises'
import { systemErrorCode } from '../../../../domain/system-error.ts'
import { entriesOf } from './special-file.ts'

const PERMISSIONS = 0o7777
const READ = 0o400
/** What a folder needs so that its files can be listed, read and removed. */
const READ_WRITE_SEARCH = 0o700

/**
 * Lets the owner of a tree read everything in it, and changes nothing else. Neither follows links nor fails: whatever
 * still can't be read belongs to someone else, and git reports it. Only for trees of ours.
 */
export async function makeReadable(root: string): Promise<void> {
  const folders = [Buffer.from(root)]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if ((await allowOwner(folder)) !== 'folder') continue
    for (const entry of await entriesOf(folder)) {
      const path = Buffer.concat([folder, Buffer.from('/'), entry.name])
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) await allowOwner(path)
    }
  }
}

/** Gives the owner of a plain file or a folder the missing permissions. */
export async function allowOwner(path: string | Buffer): Promise<'file' | 'folder' | undefined> {
  try {
    const seen = await lstat(path)
    if (!seen.isFile() && !seen.isDirectory()) return undefined
    const needed = seen.isFile() ? READ : READ_WRITE_SEARCH
    if ((seen.mode & needed) !== needed) await chmod(path, (seen.mode & PERMISSIONS) | needed)
    return seen.isFile() ? 'file' : 'folder'
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error
    return undefined
  }
}
