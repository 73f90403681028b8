import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findProcess, isAlive, pidFileLines } from './process-record.ts'
import { createProcessTable } from './process-table.ts'
import { isAbsence, readIfPresent } from './read-if-present.ts'

/** How many of the sessions or terminals in a directory still have a process. Only reads. */
export async function countRunning(directory: string): Promise<number> {
  const processes = await createProcessTable()
  const names = await readdir(directory).catch((error: unknown) => {
    if (isAbsence(error)) return []
    throw error
  })
  let running = 0
  for (const name of names) {
    // An agent outside a sandbox may have made its own record unreadable, and then it isn't counted.
    const text = await readIfPresent(join(directory, name, 'pid')).catch(() => undefined)
    const lines = pidFileLines(text ?? '')
    const host = findProcess(lines, 'host')
    if (host === undefined) continue
    const holder = findProcess(lines, 'holder')
    if (await isAlive(processes, { host, ...(holder === undefined ? {} : { holder }) })) running += 1
  }
  return running
}
