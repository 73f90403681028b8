import { readFile } from 'node:fs/promises'

/** A file's text, or nothing when there is none: of a file not yet written, of a process that is gone. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

/** ESRCH is how the kernel says of a process's file that the process ended while it was read. */
export function isAbsence(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ESRCH'
}
