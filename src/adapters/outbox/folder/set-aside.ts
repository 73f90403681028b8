import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const KEPT_OF_NAME = 80

/**
 * Moves a file beside the folder, where the agent does not write: inside it, a link in the way could lead
 * anywhere. A rename takes along whatever it is without opening it.
 */
export async function setAside(directory: string, name: string, reason: string): Promise<void> {
  const place = rejectedDirectory(directory)
  await mkdir(place, { recursive: true, mode: 0o700 })
  const kept = `${randomBytes(6).toString('hex')}-${name.slice(0, KEPT_OF_NAME)}`
  try {
    await rename(join(directory, name), join(place, kept))
  } catch (error) {
    // Gone already, by the agent's hand or by an earlier try.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  await writeFile(join(place, `${kept}.reason`), `${reason}\n`, { mode: 0o600, flag: 'wx' })
}

export function rejectedDirectory(directory: string): string {
  return join(dirname(directory), 'outbox-rejected')
}
