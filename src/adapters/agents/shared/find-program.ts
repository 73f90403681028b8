import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'

/** Where a program lies: a path from the working tree, or a name to be looked up in a search path. */
export async function findProgram(
  program: string,
  places: { readonly directory: string; readonly searchPath: string },
): Promise<string | undefined> {
  for (const candidate of candidatesOf(program, places)) {
    if (await isProgram(candidate)) return candidate
  }
  return undefined
}

function candidatesOf(
  program: string,
  places: { readonly directory: string; readonly searchPath: string },
): readonly string[] {
  if (program.includes('/')) return [path.resolve(places.directory, program)]
  // A relative entry would let the tree an agent works in supply the program.
  const folders = places.searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  return folders.map((folder) => path.join(folder, program))
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    // Absent, unreadable or behind a loop of links: for a start these are all the same.
    return false
  }
}
