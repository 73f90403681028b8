import { realpathSync, statSync } from 'node:fs'

/** Which directory a home is, so that a copy or a new directory with the same name isn't mistaken for it. */
export type HomePlace = { readonly path: string; readonly device: string; readonly inode: string }

export function placeOf(directory: string): HomePlace {
  const path = realpathSync(directory)
  const { dev, ino } = statSync(path, { bigint: true })
  return { path, device: String(dev), inode: String(ino) }
}

/**
 * Whether both are one directory. It may have been renamed, or be reached through another mount, and its device may
 * have another number after a restart of the machine. A copy has another inode.
 */
export function isSamePlace(first: HomePlace, second: HomePlace): boolean {
  if (first.inode !== second.inode) return false
  return first.path === second.path || first.device === second.device
}
