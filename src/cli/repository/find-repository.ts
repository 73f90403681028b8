import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * The repository a directory is in: the nearest directory upwards that holds `.git` (a folder, or the file of
 * a linked working tree) or is a bare repository itself. The path is absolute.
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
    // Absent and unreadable are the same here: neither is a repository this person can work on.
    () => false,
  )
}
