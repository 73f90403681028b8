import { access, constants, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The path of a program on a search path, as a shell would find it; undefined if there is none. */
export async function findProgram(name: string, searchPath: string): Promise<string | undefined> {
  for (const directory of searchPath.split(delimiter)) {
    const path = join(directory, name)
    if (directory !== '' && (await isExecutable(path))) return path
  }
  return undefined
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    // It is missing or may not be run, so it is not a program we can use.
    return false
  }
}
