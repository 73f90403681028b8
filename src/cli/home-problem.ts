import { isAbsolute, relative } from 'node:path'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'
import { safeLine } from './render/text/safe-text.ts'

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'it is on a disk that can only be read',
  EEXIST: 'there is a file where a folder is needed',
  ENOTDIR: 'there is a file where a folder is needed',
  ENOENT: 'no folder can be made there',
  EISDIR: 'there is a folder where a file is needed',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its links lead in a circle',
}

/** What a failed access below the home means to a person; nothing when the error is about something else. */
export function homeProblem(error: unknown, home: string): Problem | undefined {
  const { code, path } = error as NodeJS.ErrnoException
  const words = WORDS[code ?? '']
  if (words === undefined || path === undefined || !concerns(path, home)) return undefined
  return {
    type: 'home-unusable',
    exitCode: EXIT.unreachable,
    message: `${safeLine(home)} cannot be used as the home`,
    why: `${safeLine(path)}: ${words}`,
    next: 'muster --home DIRECTORY doctor, with a directory that you may write to',
  }
}

/** Below the home, or a folder on the way to it. */
function concerns(path: string, home: string): boolean {
  return isWithin(path, home) || isWithin(home, path)
}

function isWithin(path: string, directory: string): boolean {
  const between = relative(directory, path)
  return between !== '..' && !between.startsWith('../') && !isAbsolute(between)
}
