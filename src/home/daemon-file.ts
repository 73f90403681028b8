import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '../contract/parse-json.ts'

/** The file in which a running daemon registers itself in its home. */
export type DaemonFile = {
  readonly url: string
  readonly pid: number
  readonly startTime: string | undefined
  readonly version: string
  /** The directory that the daemon uses as its home. */
  readonly place?: { readonly device: string; readonly inode: string }
}

/** Undefined if the file is missing, was not written by a daemon, or was copied with its home. */
export async function readDaemonFile(home: string): Promise<DaemonFile | undefined> {
  const text = await readText(join(home, 'daemon.json'))
  const file = text === undefined ? undefined : parseDaemonFile(text)
  return file === undefined || (await isOfHome(file, home)) ? file : undefined
}

/** A daemon of a version that did not name its home is believed. */
async function isOfHome({ place }: DaemonFile, home: string): Promise<boolean> {
  if (place === undefined) return true
  const { dev, ino } = await stat(home, { bigint: true })
  return place.device === String(dev) && place.inode === String(ino)
}

export async function readToken(path: string): Promise<string | undefined> {
  const token = (await readText(path))?.trim()
  return token === '' ? undefined : token
}

export function parseDaemonFile(text: string): DaemonFile | undefined {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return undefined
  const { url, pid, startTime, version, home } = value as Readonly<Record<string, unknown>> &
    Partial<DaemonFile>
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  return {
    url,
    pid,
    startTime: typeof startTime === 'string' ? startTime : undefined,
    version: typeof version === 'string' ? version : 'unknown',
    ...placeIn(home),
  }
}

function placeIn(home: unknown): Pick<DaemonFile, 'place'> {
  const { device, inode } = (home ?? {}) as Readonly<Record<string, unknown>>
  return typeof device === 'string' && typeof inode === 'string' ? { place: { device, inode } } : {}
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ENOTDIR'
}
