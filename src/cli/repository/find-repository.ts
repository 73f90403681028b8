import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Finds the repository that contains a directory: the nearest parent with a `.git` (a directory, or the file of a
 * linked working tree), or a bare repository. The path is absolute.
 */
export async function findRepository(from: string): Promise<string | undefined> {
  if ((await exists(join(from, '.git'))) || (await isBare(from))) return from
  const parent = dirname(from)
  return parent === from ? undefined : findRepository(parent)
}

async function isBare(directory: string): Promise<boolean> {
  const marks = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => exists(join(directory, name))))
  return marks.every(Boolean)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    // Missing and unreadable are the same here: the person cannot use either as a repository.
    () => false,
  )
}
