import { readFile } from 'node:fs/promises'

/** A file's text, or nothing when there is none: of a file not yet written, of a process that is gone. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ESRCH') return undefined
    throw error
  }
}
