import { randomBytes } from 'node:crypto'
import { chmod, lchown, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Result, success } from '../../domain/result.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { isSystemError } from './system-error.ts'

export type Ownership = { readonly uid: number; readonly gid: number; readonly mode: number }

/** Creates the directory, or uses an existing one of that owner; anything else is foreign. */
export async function ensureOwnedDirectory(
  path: string,
  wanted: Ownership,
): Promise<Result<void, PostgresFailure>> {
  const isNew = await makeDirectory(path)
  if (isNew) await lchown(path, wanted.uid, wanted.gid)

  const found = await lstat(path)
  if (!found.isDirectory()) {
    return failure({ type: 'foreign-directory', directory: path, reason: { type: 'not-a-directory' } })
  }
  if (found.uid !== wanted.uid) {
    const reason = { type: 'other-owner', ownerUid: found.uid, expectedUid: wanted.uid } as const
    return failure({ type: 'foreign-directory', directory: path, reason })
  }
  if (found.gid !== wanted.gid) await lchown(path, wanted.uid, wanted.gid)
  if ((found.mode & 0o777) !== wanted.mode) await chmod(path, wanted.mode)
  return success(undefined)
}

async function makeDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 })
    return true
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false
    throw error
  }
}

type Owner = { readonly uid: number; readonly gid: number }

/** Readers, and the next start after a power loss, see the old file or the new one, never a mix. */
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

/** A path that `writeOwnedFile` stored; undefined if none is stored. */
export async function readRecord(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Removes what an earlier crash left unfinished. Only touches names that Muster gives to unfinished work. */
export async function removeLeftovers(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue
    // An orphaned program may still be writing into it: retries cover its last moments.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
