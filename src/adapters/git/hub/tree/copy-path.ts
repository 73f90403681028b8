import { posix } from 'node:path'

const OUTSIDE = /\0|^\/|^\.\.?(?:\/|$)|(?:^|\/)\.git(?:\/|$)/i

const LONGEST_PATH = 1024
const LONGEST_NAME = 255

/** A path inside a tree and not inside its git directory, in its shortest form; nothing for any other. */
export function copyPath(given: string): string | undefined {
  if (given === '') return undefined
  const path = posix.normalize(given).replace(/\/$/, '')
  return OUTSIDE.test(path) || isTooLong(path) ? undefined : path
}

function isTooLong(path: string): boolean {
  return (
    Buffer.byteLength(path) > LONGEST_PATH ||
    path.split('/').some((name) => Buffer.byteLength(name) > LONGEST_NAME)
  )
}
