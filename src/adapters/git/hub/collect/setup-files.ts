import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { SETUP_FILES, SETUP_SHOWN } from '../../../../domain/session/setup-files.ts'
import { ignoreCodes, systemErrorCode } from '../../../../domain/system-error.ts'
import { isBehindLink, isFolder, pathIn, withPlainFile } from './tree-files.ts'

/** A large list of packages has a hundred thousand files with a hundred bytes each. */
const MOST_BYTES = 64 * 1024 * 1024
const MOST_FILES = 500_000
const ABSENT_CODES: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR']
const RECORD = /^(\d+)\.(\d{9})\d* (\d+) /

/** The files that a tree had when its setup ended. Paths are bytes, decoded as latin1. */
export type SetupFiles = {
  readonly paths: () => Iterable<string>
  readonly has: (path: string) => boolean
  /** Whether the agent's git showed the file as new when setup ended, so that adding all files adds it. */
  readonly isShown: (path: string) => boolean
  /** Whether the file is still exactly as setup left it. False if it is gone or setup didn't leave it. */
  readonly isUntouched: (path: string) => Promise<boolean>
  /** Whether a file of the commit was gone when setup ended and still is, whatever is in its place. */
  readonly isGone: (path: string) => Promise<boolean>
}

/**
 * Reads the list that setup left in a tree. Undefined if there is none. The agent may have written to it, so what it
 * says is only used to leave out files.
 */
export async function readSetupFiles(directory: string): Promise<SetupFiles | undefined> {
  if (!(await isFolder(join(directory, '.git')))) return undefined
  const list = await readRecords(join(directory, SETUP_FILES))
  if (list === undefined) return undefined
  const stamps = parseList(list)
  const shown = new Set(await readRecords(join(directory, SETUP_SHOWN)))
  return {
    paths: () => stamps.keys(),
    has: (path) => stamps.has(path),
    isShown: (path) => shown.has(path),
    isUntouched: async (path) => {
      const stamp = stamps.get(path)
      return stamp !== undefined && stamp === (await stampOf(pathIn(directory, path)))
    },
    isGone: async (path) => {
      const isListed = stamps.size === 0 || stamps.size === MOST_FILES || stamps.has(path)
      return !isListed && !(await isFile(directory, path))
    },
  }
}

/** The records of a list, as bytes decoded as latin1. Undefined if there is no such list. */
async function readRecords(path: string): Promise<readonly string[] | undefined> {
  const bytes = await withPlainFile(path, async (file, size) =>
    size > MOST_BYTES ? undefined : await file.readFile(),
  )
  return bytes?.toString('latin1').split('\0')
}

function parseList(records: readonly string[]): ReadonlyMap<string, string> {
  const stamps = new Map<string, string>()
  for (const record of records) {
    const [head, seconds, nanoseconds, size] = RECORD.exec(record) ?? []
    if (head === undefined) continue
    stamps.set(record.slice(head.length), `${seconds}${nanoseconds} ${size}`)
    if (stamps.size === MOST_FILES) break
  }
  return stamps
}

/** Whether git would find a file there. It finds none behind a link, and a folder is none. */
async function isFile(directory: string, path: string): Promise<boolean> {
  if (await isBehindLink(directory, path)) return false
  return await lstat(pathIn(directory, path)).then(
    (seen) => !seen.isDirectory(),
    (error: unknown) => !ABSENT_CODES.includes(systemErrorCode(error)),
  )
}

/** Nothing that a program does to a file leaves its change time as it was, not even setting its times. */
async function stampOf(path: Buffer): Promise<string | undefined> {
  const seen = await lstat(path, { bigint: true }).catch(ignoreCodes('ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'))
  return seen === undefined || seen.isDirectory() ? undefined : `${seen.ctimeNs} ${seen.size}`
}
