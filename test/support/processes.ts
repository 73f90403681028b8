import { readdir, readFile, readlink } from 'node:fs/promises'

/**
 * The command lines of all processes that have `mark` in their command line, environment or working directory, except
 * PostgreSQL and the processes in `except`. Read from the kernel, independently of what Muster knows.
 */
export async function processesWith(
  mark: string,
  except: readonly number[] = [],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) === process.pid || except.includes(Number(pid))) continue
    const [commandLine, environment, directory] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
      readlink(`/proc/${pid}/cwd`).catch(() => ''),
    ])
    if (commandLine === '' || /postgres/.test(commandLine)) continue
    if (`${commandLine}${environment}${directory}`.includes(mark))
      found.push(commandLine.replaceAll('\0', ' '))
  }
  return found
}

/** Sends a signal to all of these processes that still exist. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // A short-lived process has ended since it was found.
    }
  }
}
