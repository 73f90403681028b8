import { readFile, rm } from 'node:fs/promises'
import { writeFileWhole } from './write-file-whole.ts'

/** What the daemon says about itself to those who look for it. */
export type Registration = {
  readonly url: string
  readonly pid: number
  readonly startTime: string
  readonly version: string
}

export async function register(path: string, registration: Registration): Promise<void> {
  await writeFileWhole(path, `${JSON.stringify(registration, undefined, 2)}\n`)
}

export async function readRegistration(path: string): Promise<Registration | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Registration
  } catch {
    // Absent or damaged: nobody is registered, which is all that is asked.
    return undefined
  }
}

export async function unregister(path: string): Promise<void> {
  const found = await readRegistration(path)
  if (found?.pid === process.pid) await rm(path, { force: true })
}
