import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'

/** Readers see the old file or the new one, never a mix. */
export async function writeFileWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  await writeFile(temporary, text, { mode: 0o600 })
  await rename(temporary, path)
}
