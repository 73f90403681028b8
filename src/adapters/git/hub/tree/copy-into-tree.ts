import { constants, copyFile, lstat, mkdir, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TreeCopies } from '../../../../ports/working-trees.ts'
import { ignoreCodes, systemErrorCode } from '../process/system-error.ts'
import { copyPath } from './copy-path.ts'
import { type CopySource, findCopySource } from './copy-source.ts'
import { removeAll } from './remove-tree.ts'

const MOST_PATHS = 200
const COPY_MODE = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE
const UNCOPYABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EEXIST', 'EINVAL', 'EILSEQ', 'ENAMETOOLONG']
const PLAIN_NAME = /^[^\n\r\0]+$/

/**
 * Copies files that git does not have into a tree that nobody has seen yet. The paths come from a repository
 * that may wish us ill: nothing is read from outside the checkout, and nothing written outside the tree.
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

/** Nothing is there, and all above it are folders of the tree or nothing: a commit may hold a link to anywhere. */
async function isFree(tree: string, path: string): Promise<boolean> {
  const parts = path.split('/')
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const seen = await lstat(join(tree, ...parts.slice(0, depth))).catch(ignoreCodes('ENOENT'))
    if (seen === undefined) return true
    if (!seen.isDirectory()) return false
  }
  return false
}

/** The whole of it or nothing: a name that is too long here, or a file that went away, keeps no tree from being opened. */
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

/** So that an agent does not commit by accident what was lent to it. */
async function hideFromGit(tree: string, paths: readonly string[]): Promise<void> {
  const lines = paths.filter((path) => PLAIN_NAME.test(path)).map((path) => `/${escapePattern(path)}\n`)
  await writeFile(join(tree, '.git', 'info', 'exclude'), lines.join(''))
}

function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[ ]/g, '\\$&')
}
