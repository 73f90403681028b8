import type { Dirent, Stats } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { systemErrorCode } from '../../../../domain/system-error.ts'

/** A file that git would open although reading it may never end. */
export type SpecialFile = {
  /** Relative to the tree, in bytes that are decoded as latin1. */
  readonly path: string
  readonly kind: string
}

/** What a file is if it is neither a plain file nor a folder nor a link. */
export function specialKind(file: Dirent<Buffer> | Stats): string | undefined {
  if (file.isFIFO()) return 'named pipe'
  if (file.isSocket()) return 'socket'
  return file.isBlockDevice() || file.isCharacterDevice() ? 'device' : undefined
}

/** The entries of a folder. None if it can't be read: git can't read it either. */
export async function entriesOf(folder: Buffer): Promise<readonly Dirent<Buffer>[]> {
  try {
    return await readdir(folder, { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error
    return []
  }
}
