import { readFile } from 'node:fs/promises'
import { systemErrorCode } from '../../../domain/system-error.ts'

/** A file's text. Undefined if the file doesn't exist, or if it belongs to a process that has ended. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

/** The kernel reports ESRCH if a process ends while one of its files is read. */
export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ESRCH'].includes(systemErrorCode(error) ?? '')
}
