import { readFileSync } from 'node:fs'

/** When a process started, in ticks since boot; undefined if there is no such process or no /proc. */
export function processStart(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in brackets and may contain brackets and spaces itself.
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
