import { readFile } from 'node:fs/promises'

/**
 * Whether the process that wrote a registration is still the one behind its pid. A pid alone may have passed
 * to a stranger, and a stranger on the old port must not be handed the token.
 */
export async function isSameProcess(pid: number, startTime: string | undefined): Promise<boolean> {
  if (!isAlive(pid)) return false
  const told = await kernelFacts(pid)
  if (told === undefined) return true
  // Dead and not yet taken note of by its parent, which may never do so.
  if (told.state === 'Z' || told.state === 'X') return false
  return startTime === undefined || !TICKS.test(startTime) || startTime === told.startTime
}

const TICKS = /^\d{1,12}$/

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Not being allowed to signal it proves that it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** State, and ticks since boot at which the process began; nothing where the kernel does not tell. */
async function kernelFacts(
  pid: number,
): Promise<{ readonly state: string | undefined; readonly startTime: string | undefined } | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in brackets and may hold anything, brackets and blanks included.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], startTime: fields[19] }
  } catch {
    // No /proc here, or the process has just gone: the health check decides.
    return undefined
  }
}
