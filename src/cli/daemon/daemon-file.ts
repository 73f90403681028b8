import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a running daemon says about itself in its home. */
export type DaemonFile = {
  readonly url: string
  readonly pid: number
  readonly startTime: string | undefined
  readonly version: string
}

/** Nothing when there is no such file, or when it is not what a daemon writes. */
export async function readDaemonFile(home: string): Promise<DaemonFile | undefined> {
  const text = await readText(join(home, 'daemon.json'))
  return text === undefined ? undefined : parseDaemonFile(text)
}

export async function readToken(path: string): Promise<string | undefined> {
  const token = (await readText(path))?.trim()
  return token === '' ? undefined : token
}

export function parseDaemonFile(text: string): DaemonFile | undefined {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return undefined
  const { url, pid, startTime, version } = value as Readonly<Record<string, unknown>> & Partial<DaemonFile>
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  return {
    url,
    pid,
    startTime: typeof startTime === 'string' ? startTime : undefined,
    version: typeof version === 'string' ? version : 'unknown',
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A file that is not JSON was not written by a daemon; the caller treats it as absent.
    return undefined
  }
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
