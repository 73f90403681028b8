import type { BigIntStats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { SETUP_CONTENTS, SETUP_FILES, SETUP_SHOWN } from '../../../../domain/session/setup-list-paths.ts'
import { ignoreCodes, systemErrorCode } from '../../../../domain/system-error.ts'
import { digestOf, isBehindLink, isFolder, pathIn, withPlainFile } from './tree-files.ts'

/** A large list of packages has a hundred thousand files with a hundred bytes each. */
const MOST_BYTES = 64 * 1024 * 1024
const MOST_FILES = 500_000
const ABSENT_CODES: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR']
/** Lists of earlier versions have neither an inode nor a mode. */
const RECORD = /^(?:(\d+) (\d+) )?(\d+)\.(\d{9})\d* (\d+) /
const START = /^start (\d+)\.(\d{9})/
const DIGEST = /^([0-9a-f]{64}) [ *]\.\//
const IS_EXECUTABLE = 0o100n

/** The files that a tree had when its setup ended. Paths are bytes, decoded as latin1. */
export type SetupFiles = {
  readonly paths: () => Iterable<string>
  readonly has: (path: string) => boolean
  /** Whether the agent's git showed the file as new when setup ended, so that adding all files adds it. */
  readonly isShown: (path: string) => boolean
  /** Whether setup has changed this file of the commit. If not, only the agent can have. */
  readonly isChanged: (path: string) => boolean
  /**
   * Whether the file is as setup left it: untouched, or written again with the same content. False if it is gone or
   * setup didn't leave it.
   */
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
  const heads = parseList(list)
  const start = parseStart(list[0])
  const shown = new Set(await readRecords(join(directory, SETUP_SHOWN)))
  const digests = parseDigests((await readRecords(join(directory, SETUP_CONTENTS))) ?? [])
  return {
    paths: () => heads.keys(),
    has: (path) => heads.has(path),
    isShown: (path) => shown.has(path),
    isChanged: (path) => {
      const time = parseHead(heads.get(path))?.time
      return shown.has(path) || (start !== undefined && time !== undefined && time >= start)
    },
    isUntouched: async (path) => {
      const stamp = parseHead(heads.get(path))
      const place = pathIn(directory, path)
      const seen = stamp === undefined ? undefined : await statOf(place)
      if (stamp === undefined || seen === undefined) return false
      return isSameFile(stamp, seen) || (await hasSameContent(place, stamp, seen, digests.get(path)))
    },
    isGone: async (path) => {
      const isListed = heads.size === 0 || heads.size === MOST_FILES || heads.has(path)
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

/** What a file was when setup ended. */
type Stamp = {
  /** The change time in nanoseconds. */
  readonly time: bigint
  readonly size: bigint
  readonly inode: bigint | undefined
  readonly mode: bigint | undefined
}

/** The heads of the list's records by path. A head is only parsed if it is needed, because there may be many. */
function parseList(records: readonly string[]): ReadonlyMap<string, string> {
  const heads = new Map<string, string>()
  for (const record of records) {
    const head = RECORD.exec(record)?.[0]
    if (head === undefined) continue
    heads.set(record.slice(head.length), head)
    if (heads.size === MOST_FILES) break
  }
  return heads
}

function parseHead(head: string | undefined): Stamp | undefined {
  const match = RECORD.exec(head ?? '')
  if (match === null) return undefined
  const [, inode, mode, seconds, nanoseconds, size] = match
  return {
    time: BigInt(`${seconds}${nanoseconds}`),
    size: BigInt(size ?? 0),
    inode: inode === undefined ? undefined : BigInt(inode),
    mode: mode === undefined ? undefined : BigInt(`0o${mode}`),
  }
}

/** When setup started, in nanoseconds. */
function parseStart(record = ''): bigint | undefined {
  const [, seconds, nanoseconds] = START.exec(record) ?? []
  return seconds === undefined ? undefined : BigInt(`${seconds}${nanoseconds}`)
}

/** The last record may be cut off, and its path may then be another file's. */
function parseDigests(records: readonly string[]): ReadonlyMap<string, string> {
  const digests = new Map<string, string>()
  for (const record of records.slice(0, -1)) {
    const [head, digest] = DIGEST.exec(record) ?? []
    if (head !== undefined && digest !== undefined) digests.set(record.slice(head.length), digest)
  }
  return digests
}

/** Whether git would find a file there. It finds none behind a link, and a folder is none. */
async function isFile(directory: string, path: string): Promise<boolean> {
  if (await isBehindLink(directory, path)) return false
  return await lstat(pathIn(directory, path)).then(
    (seen) => !seen.isDirectory(),
    (error: unknown) => !ABSENT_CODES.includes(systemErrorCode(error)),
  )
}

/**
 * Nothing that a program does to a file leaves its change time as it was, not even setting its times. Moving a folder
 * does, though: it puts other files with the same times in the place of the folder's files.
 */
function isSameFile(stamp: Stamp, { ctimeNs, size, ino }: BigIntStats): boolean {
  return stamp.time === ctimeNs && stamp.size === size && (stamp.inode === undefined || stamp.inode === ino)
}

async function hasSameContent(
  path: Buffer,
  stamp: Stamp,
  seen: BigIntStats,
  digest: string | undefined,
): Promise<boolean> {
  if (digest === undefined || stamp.mode === undefined || stamp.size !== seen.size || !seen.isFile())
    return false
  const isSameMode = (stamp.mode & IS_EXECUTABLE) === (seen.mode & IS_EXECUTABLE)
  return isSameMode && (await digestOf(path)) === digest
}

async function statOf(path: Buffer): Promise<BigIntStats | undefined> {
  const seen = await lstat(path, { bigint: true }).catch(ignoreCodes('ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'))
  return seen === undefined || seen.isDirectory() ? undefined : seen
}
