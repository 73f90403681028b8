import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { failure, type Result, success } from '../../../domain/result.ts'
import { readTextFile } from '../../shared/read-text-file.ts'

/** Reads files of one playbook, by the names that the playbook uses. Nothing outside its folder can be read. */
export type FolderFiles = {
  /** A file of its own, `./name`. */
  readonly read: (name: string, maxBytes: number) => Promise<Result<string, string>>
  /** Everything that was read, by name. */
  readonly texts: ReadonlyMap<string, string>
}

export function createFolderFiles(directory: string): FolderFiles {
  const texts = new Map<string, string>()
  return {
    texts,
    read: async (name, maxBytes) => {
      const text = await readInside(directory, name, maxBytes)
      if (text.ok) texts.set(name, text.value)
      return text
    },
  }
}

async function readInside(
  directory: string,
  name: string,
  maxBytes: number,
): Promise<Result<string, string>> {
  const root = await realpath(directory).catch(() => undefined)
  if (root === undefined) return failure(`${name} can't be read, because there is no folder ${directory}`)
  const file = path.resolve(root, name)
  // A link inside the folder may lead anywhere, so the place it leads to counts.
  const real = await realpath(file).catch(() => file)
  if (!real.startsWith(`${root}${path.sep}`)) return failure(`${name} is outside the playbook's folder`)
  const text = await readTextFile(real, { maxBytes })
  if (!text.ok) return failure(`${name} ${text.failure}`)
  return text.value === undefined ? failure(`${name} doesn't exist`) : success(text.value)
}
