import {
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readlink,
  realpath,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { ignoreCodes, systemErrorCode } from '../../../../domain/system-error.ts'
import type { TreeCopies } from '../../../../ports/working-trees.ts'
import { copyPath } from './copy-path.ts'
import { removeAll } from './remove-tree.ts'

const MOST_PATHS = 200
const COPY_MODE = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE
/** Absent, not readable by this user, or a loop of links. */
const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG']
const UNCOPYABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EEXIST', 'EINVAL', 'EILSEQ', 'ENAMETOOLONG']
const PLAIN_NAME = /^[^\n\r\0]+$/

type CopySource = {
  /** Folders before their contents. Names are relative to the requested path, whose own name is empty. */
  readonly entries: readonly CopyEntry[]
  readonly bytes: number
}
type CopyEntry = {
  readonly type: 'file' | 'directory' | 'link'
  readonly path: string
  readonly name: string
}
type CopyRoom = { readonly files: number; readonly bytes: number }

/**
 * Copies untracked files into a new tree. The paths come from a repository that may be hostile, so this reads nothing
 * outside the checkout and writes nothing outside the tree.
 */
export async function copyIntoTree(tree: string, { from, paths }: TreeCopies): Promise<void> {
  const room = { files: 2_000, bytes: 200 * 1024 * 1024 }
  const copied: string[] = []
  for (const path of new Set(paths.slice(0, MOST_PATHS).flatMap((given) => copyPath(given) ?? []))) {
    if (!(await isFree(tree, path))) continue
    const source = await findCopySource(from, path, room)
    if (source === undefined) continue
    room.files -= source.entries.length
    room.bytes -= source.bytes
    if (await isCopied(source, tree, path)) copied.push(path)
  }
  await hideFromGit(tree, copied)
}

/** What to copy for a path. Undefined if the path is absent, leads out of `from`, or exceeds the room. */
async function findCopySource(from: string, path: string, room: CopyRoom): Promise<CopySource | undefined> {
  try {
    const root = await realpath(from)
    const source = await realpath(join(root, path))
    // Checks the resolved path too, because a link may lead into the person's git directory.
    const inside = copyPath(relative(root, source))
    if (inside === undefined) return undefined
    return await list(source, room)
  } catch (error) {
    if (UNREADABLE.includes(systemErrorCode(error) ?? '')) return undefined
    throw error
  }
}

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

/** Sockets, pipes and devices are left out, and so are links that lead out of what is copied. */
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

/**
 * Whether the path is absent and everything above it is a real folder or absent. A commit may have links to anywhere.
 */
async function isFree(tree: string, path: string): Promise<boolean> {
  const parts = path.split('/')
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const seen = await lstat(join(tree, ...parts.slice(0, depth))).catch(ignoreCodes('ENOENT'))
    if (seen === undefined) return true
    if (!seen.isDirectory()) return false
  }
  return false
}

/** Copies all of a source or nothing. A name that is too long or a file that has vanished doesn't fail the tree. */
async function isCopied(source: CopySource, tree: string, path: string): Promise<boolean> {
  try {
    await copySource(source, tree, path)
    return true
  } catch (error) {
    if (!UNCOPYABLE.includes(systemErrorCode(error) ?? '')) throw error
    await removeAll(join(tree, path))
    return false
  }
}

async function copySource(source: CopySource, tree: string, path: string): Promise<void> {
  const above = path.split('/').slice(0, -1)
  await mkdir(join(tree, ...above), { recursive: true })
  for (const entry of source.entries) {
    const to = join(tree, path, entry.name)
    if (entry.type === 'directory') await mkdir(to)
    else if (entry.type === 'link') await symlink(await readlink(entry.path), to)
    else await copyFile(entry.path, to, COPY_MODE)
  }
}

/** Keeps an agent from committing the copies by accident. */
async function hideFromGit(tree: string, paths: readonly string[]): Promise<void> {
  const lines = paths.filter((path) => PLAIN_NAME.test(path)).map((path) => `/${escapePattern(path)}\n`)
  await writeFile(join(tree, '.git', 'info', 'exclude'), lines.join(''))
}

function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[ ]/g, '\\$&')
}
