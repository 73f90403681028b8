import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Creates the directory if necessary. Readers see the old file or the new one, never a mix. */
export async function writeFileWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(temporary, text, { mode: 0o600 })
  await rename(temporary, path)
}
