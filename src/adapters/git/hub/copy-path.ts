import { posix } from 'node:path'

const OUTSIDE = /\0|^\/|^\.\.?(?:\/|$)|(?:^|\/)\.git(?:\/|$)/i

/** A path inside a tree and not inside its git directory, in its shortest form; nothing for any other. */
export function copyPath(given: string): string | undefined {
  if (given === '') return undefined
  const path = posix.normalize(given).replace(/\/$/, '')
  return OUTSIDE.test(path) ? undefined : path
}
