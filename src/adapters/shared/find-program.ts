import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, resolve } from 'node:path'

const PATH_WHEN_UNSET = '/usr/local/bin:/usr/bin:/bin'

/** The file that a program's name or path means in this directory and with this PATH, as a shell there would find it. */
export async function findProgram(
  name: string,
  cwd: string,
  searchPath: string | undefined = PATH_WHEN_UNSET,
): Promise<string | undefined> {
  if (name.includes('/')) {
    const path = resolve(cwd, name)
    return (await isExecutableFile(path)) ? path : undefined
  }
  for (const directory of searchPath.split(delimiter)) {
    // Relative entries mean the place the program runs in: an agent's tree must not supply programs.
    if (!isAbsolute(directory)) continue
    const path = resolve(directory, name)
    if (await isExecutableFile(path)) return path
  }
  return undefined
}

async function isExecutableFile(path: string): Promise<boolean> {
  try {
    const [stats] = await Promise.all([stat(path), access(path, constants.X_OK)])
    return stats.isFile()
  } catch {
    // Absent, out of reach and not executable are the same answer: not a program.
    return false
  }
}
