import { statfs } from 'node:fs/promises'
import { NOBODY } from './postgres-account.ts'
import type { PostgresFailure } from './postgres-failure.ts'

/** Whether this is an error of the operating system, with one of these codes if any are given. */
export function isSystemError(error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  return codes.length === 0 ? 'errno' in error : codes.includes(error.code)
}

const REFUSALS = [
  'ENOENT',
  'EACCES',
  'EPERM',
  'EROFS',
  'EBUSY',
  'ENOTDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'EIO',
] as const

/** Converts expected file system errors into failures; rethrows anything else as a defect. */
export async function nameSystemError(error: unknown, directory: string): Promise<PostgresFailure> {
  if (isSystemError(error, 'ENOSPC', 'EDQUOT')) {
    return { type: 'no-space', directory, freeBytes: await countFreeBytes(directory) }
  }
  if (isSystemError(error, 'EPERM', 'EINVAL') && error.syscall?.endsWith('chown')) {
    const detail = `the daemon isn't allowed to give it files (${error.code}).`
    return { type: 'account-unusable', uid: NOBODY, detail }
  }
  if (isSystemError(error, ...REFUSALS)) {
    return { type: 'not-permitted', path: error.path ?? directory, code: error.code ?? 'unknown' }
  }
  throw error
}

export async function countFreeBytes(directory: string): Promise<number> {
  const found = await statfs(directory)
  return found.bavail * found.bsize
}
