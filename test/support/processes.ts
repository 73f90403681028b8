import { readdir, readFile, readlink } from 'node:fs/promises'

/**
 * Command lines of the processes that have `mark` in their command line, environment or working directory,
 * apart from the database's and those of `except`: read from the kernel, not from what Muster believes.
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
