import { mkdir, writeFile } from 'node:fs/promises'
import type { HostFiles } from './host-files.ts'
import { FORBIDDEN_LINE } from './pid-file.ts'

/**
 * Takes the place of a host, if none has it: one that is only coming up then starts nothing. The directory
 * is made for it: whoever starts the session may be about to.
 */
export async function forbidStart(files: HostFiles): Promise<void> {
  await mkdir(files.directory, { recursive: true, mode: 0o700 })
  try {
    await writeFile(files.pid, FORBIDDEN_LINE, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EEXIST') throw error
  }
}
