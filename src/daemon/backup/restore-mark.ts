import { lstat, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes } from '../../domain/system-error.ts'
import { IDENTITY_FILE, RESTORING_FILE } from '../home-files.ts'

/**
 * Marks the place of a home, next to it, from before a restore moves the old home away until the new one is complete or
 * the old one is back. Meanwhile there is no home at all for a moment. Returns whether it wasn't marked before.
 */
export async function markPlace(home: string): Promise<boolean> {
  try {
    await writeFile(markOf(home), '', { mode: 0o600, flag: 'wx' })
    return true
  } catch (error) {
    ignoreCodes('EEXIST')(error)
    return false
  }
}

export async function unmarkPlace(home: string): Promise<void> {
  await rm(markOf(home), { force: true })
}

export async function isPlaceMarked(home: string): Promise<boolean> {
  return await exists(markOf(home))
}

/** Whether a restore into this home was killed or is still running, so that the home is incomplete or missing. */
export async function isRestoreUnfinished(home: string): Promise<boolean> {
  if (await exists(join(home, RESTORING_FILE))) return true
  // A home with an identity is the old one, which a restore didn't move in the end or has put back.
  return (await isPlaceMarked(home)) && !(await exists(join(home, IDENTITY_FILE)))
}

function markOf(home: string): string {
  return `${home}.restoring`
}

/** Whether the path exists. Throws if that can't be determined: a mark that can't be read isn't absent. */
async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR'))) !== undefined
}
