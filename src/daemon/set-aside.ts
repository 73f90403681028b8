import { mkdir, mkdtemp, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ignoreCodes } from '../domain/system-error.ts'

/** Moves parts of a home into a new folder `set-aside-...` in it. Nothing is deleted, and nothing uses them any more. */
export async function setAside(home: string, parts: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(home, 'set-aside-'))
  for (const part of parts) {
    const target = join(folder, part)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await rename(join(home, part), target).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  }
}
