import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { systemErrorCode } from '../process/system-error.ts'
import { copyPath } from './copy-path.ts'

export type CopySource = {
  /** Folders before what is in them; the name is relative to what was asked for, and empty for itself. */
  readonly entries: readonly CopyEntry[]
  readonly bytes: number
}

export type CopyEntry = {
  readonly type: 'file' | 'directory' | 'link'
  readonly path: string
  readonly name: string
}

export type CopyRoom = { readonly files: number; readonly bytes: number }

/** What is to be copied for this path; nothing when it is absent, leads out of `from`, or is more than there is room for. */
export async function findCopySource(
  from: string,
  path: string,
  room: CopyRoom,
): Promise<CopySource | undefined> {
  try {
    const root = await realpath(from)
    const source = await realpath(join(root, path))
    // Also never a part of the person's git directory by way of a link.
    const inside = copyPath(relative(root, source))
    if (inside === undefined) return undefined
    return await list(source, room)
  } catch (error) {
    if (UNREADABLE.includes(systemErrorCode(error) ?? '')) return undefined
    throw error
  }
}

/** Absent, not ours to read, or a circle of links. */
const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG']

async function list(source: string, room: CopyRoom): Promise<CopySource | undefined> {
  const entries: CopyEntry[] = []
  const waiting = ['']
  let bytes = 0
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const path = join(source, name)
    const seen = await lstat(path)
    const type = await typeOf(source, path, seen)
    if (type === undefined) continue
    entries.push({ type, path, name })
    bytes += type === 'file' ? seen.size : 0
    if (type === 'directory') waiting.push(...(await namesIn(path)).map((child) => join(name, child)))
    if (entries.length + waiting.length > room.files || bytes > room.bytes) return undefined
  }
  return entries.length === 0 ? undefined : { entries, bytes }
}

async function namesIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory)).filter((name) => name.toLowerCase() !== '.git')
}

/** Sockets, pipes and devices are nothing to copy. A link is kept only when it stays within what is copied. */
async function typeOf(
  source: string,
  path: string,
  seen: Awaited<ReturnType<typeof lstat>>,
): Promise<CopyEntry['type'] | undefined> {
  if (seen.isFile()) return 'file'
  if (seen.isDirectory()) return 'directory'
  if (!seen.isSymbolicLink() || isAbsolute(await readlink(path))) return undefined
  const target = await realpath(path).catch(() => undefined)
  if (target === undefined) return undefined
  const way = relative(source, target)
  return way.startsWith('..') || isAbsolute(way) ? undefined : 'link'
}
