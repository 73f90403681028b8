import { chmod, lchown, lstat, mkdir } from 'node:fs/promises'
import { failure, type Result, success } from '../../domain/result.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { isSystemError } from './system-error.ts'

export type Ownership = { readonly uid: number; readonly gid: number; readonly mode: number }

/** Makes the directory, or takes it as it is when it is a directory of that owner; anything else is somebody else's. */
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
