import { posix } from 'node:path'

const OUTSIDE = /\0|^\/|^\.\.?(?:\/|$)|(?:^|\/)\.git(?:\/|$)/i
const LONGEST_PATH = 1024
const LONGEST_NAME = 255

/** The normalized form of a path inside a tree. Undefined if it leads out of the tree or into its git directory. */
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
