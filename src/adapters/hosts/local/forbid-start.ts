import { writeFile } from 'node:fs/promises'
import type { HostFiles } from './host-files.ts'
import { FORBIDDEN_LINE } from './pid-file.ts'

/**
 * Takes the place of a host, if none has it: one that is only coming up then starts nothing. A session
 * without a directory needs no such care, its host could not make its file.
 */
export async function forbidStart(files: HostFiles): Promise<void> {
  try {
    await writeFile(files.pid, FORBIDDEN_LINE, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EEXIST' && code !== 'ENOENT') throw error
  }
}
