import { readFile } from 'node:fs/promises'

/**
 * When this process started, as the kernel tells it: with the pid it names one process, also after the pid is
 * used again. Where the kernel does not tell, the given time has to do.
 */
export async function processStart(otherwise: Date): Promise<string> {
  try {
    const stat = await readFile('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[19] ?? otherwise.toISOString()
  } catch {
    // No /proc on this system.
    return otherwise.toISOString()
  }
}
