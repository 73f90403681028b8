import { mkdir, writeFile } from 'node:fs/promises'
import type { TerminalFiles } from './terminal-files.ts'
import { FORBIDDEN_LINE } from './terminal-record.ts'

/** Takes a terminal's place, if nothing has it: a program that is only coming up then never starts. */
export async function forbidOpen(files: TerminalFiles): Promise<void> {
  await mkdir(files.directory, { recursive: true, mode: 0o700 })
  try {
    await writeFile(files.pid, FORBIDDEN_LINE, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EEXIST') throw error
  }
}
