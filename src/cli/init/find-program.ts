import { access, constants, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Where a program is found on a search path, as a shell would; nothing when it is not there. */
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
    // Absent or not ours to run: either way not a program we can use.
    return false
  }
}
