import { isAbsolute, relative } from 'node:path'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'
import { safeLine } from './render/text/safe-text.ts'

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  EEXIST: 'a file is in the way of a directory',
  ENOTDIR: 'a file is in the way of a directory',
  ENOENT: 'no directory can be created there',
  EISDIR: 'a directory is in the way of a file',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'too many symbolic links',
}

/** Explains a failed access to the home; undefined if the error is about something else. */
export function homeProblem(error: unknown, home: string): Problem | undefined {
  const { code, path } = error as NodeJS.ErrnoException
  const words = WORDS[code ?? '']
  if (words === undefined || path === undefined || !concerns(path, home)) return undefined
  return {
    type: 'home-unusable',
    exitCode: EXIT.unreachable,
    message: `${safeLine(home)} cannot be used as the home`,
    why: `${safeLine(path)}: ${words}`,
    next: 'muster --home DIRECTORY doctor, with a directory that you can write to',
  }
}

/** Whether the path is in the home, or is a parent of the home. */
function concerns(path: string, home: string): boolean {
  return isWithin(path, home) || isWithin(home, path)
}

function isWithin(path: string, directory: string): boolean {
  const between = relative(directory, path)
  return between !== '..' && !between.startsWith('../') && !isAbsolute(between)
}
