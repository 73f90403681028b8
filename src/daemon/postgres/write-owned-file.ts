import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

type Owner = { readonly uid: number; readonly gid: number }

/** Readers, and the next start after a power cut, see the old file or the new one, never half of either. */
export async function writeOwnedFile(path: string, text: string, owner: Owner): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await using file = await open(temporary, 'wx', 0o600)
    await file.writeFile(text)
    await file.chown(owner.uid, owner.gid)
    await file.sync()
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
