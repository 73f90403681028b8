import { readFile, rm } from 'node:fs/promises'
import type { HomePlace } from './home-place.ts'
import { writeFileWhole } from './write-file-whole.ts'

/** What the daemon publishes about itself for clients in this home. */
export type Registration = {
  readonly url: string
  readonly pid: number
  readonly startTime: string
  readonly version: string
  /** The home of the daemon. In a copy of the home, this file must not be believed. */
  readonly home: HomePlace & { readonly id: string }
}

export async function register(
  path: string,
  { startedAt, ...daemon }: Pick<Registration, 'url' | 'version' | 'home'> & { readonly startedAt: Date },
): Promise<void> {
  const startTime = await processStart(startedAt)
  const registration: Registration = { ...daemon, pid: process.pid, startTime }
  await writeFileWhole(path, `${JSON.stringify(registration, undefined, 2)}\n`)
}

export async function readRegistration(path: string): Promise<Registration | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Registration
  } catch {
    // Absent or damaged: no daemon is registered.
    return undefined
  }
}

export async function unregister(path: string): Promise<void> {
  const found = await readRegistration(path)
  if (found?.pid === process.pid) await rm(path, { force: true })
}

/**
 * When this process started, according to the kernel: together with the pid it identifies one process, even after the
 * pid is reused. Without /proc, the fallback time is used.
 */
async function processStart(fallback: Date): Promise<string> {
  try {
    const stat = await readFile('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[19] ?? fallback.toISOString()
  } catch {
    // No /proc on this system.
    return fallback.toISOString()
  }
}
