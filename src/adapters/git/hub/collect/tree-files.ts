import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { ignoreCodes, systemErrorCode } from '../../../../domain/system-error.ts'
import type { ObjectFormat } from '../repository/object-id.ts'

/** Opens neither a link nor a pipe that would block. */
const PLAIN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const CHUNK_BYTES = 256 * 1024

/** The path of an index entry in a tree. Both are bytes, because names need not be text. */
export function pathIn(directory: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(path, 'latin1')])
}

/** Whether this is a real folder. False if it is absent. */
export async function isFolder(path: string | Buffer): Promise<boolean> {
  return (await lstat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR')))?.isDirectory() === true
}

/** Whether a path in a tree is a real folder that no link leads to. */
export async function isInnerFolder(directory: string, path: string): Promise<boolean> {
  const parts = path.split('/')
  for (let depth = 1; depth <= parts.length; depth += 1) {
    if (!(await isFolder(pathIn(directory, parts.slice(0, depth).join('/'))))) return false
  }
  return true
}

/** Whether a folder above a path in a tree is a link. Git refuses to look behind it. */
export async function isBehindLink(directory: string, path: string): Promise<boolean> {
  const parts = path.split('/')
  for (let depth = 1; depth < parts.length; depth += 1) {
    const above = pathIn(directory, parts.slice(0, depth).join('/'))
    const seen = await lstat(above).catch(ignoreCodes('ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES'))
    if (seen?.isDirectory() !== true) return seen?.isSymbolicLink() === true
  }
  return false
}

/** The id that git gives to the unconverted bytes of a file. Undefined if the file can't be read. */
export async function rawIdOf(path: Buffer, format: ObjectFormat): Promise<string | undefined> {
  return await withPlainFile(path, async (file, size) => {
    const digest = createHash(format).update(`blob ${size}\0`)
    for await (const chunk of chunksOf(file)) digest.update(chunk)
    return digest.digest('hex')
  })
}

/** The digest of a file, as sha256sum prints it. Undefined if the file can't be read. */
export async function digestOf(path: Buffer): Promise<string | undefined> {
  return await withPlainFile(path, async (file) => {
    const digest = createHash('sha256')
    for await (const chunk of chunksOf(file)) digest.update(chunk)
    return digest.digest('hex')
  })
}

export async function hasSameBytes(one: Buffer, other: Buffer): Promise<boolean> {
  const sizes = await Promise.all([one, other].map((path) => withPlainFile(path, async (_, size) => size)))
  if (sizes[0] === undefined || sizes[0] !== sizes[1]) return false
  const [first, second] = await Promise.all([digestOf(one), digestOf(other)])
  return first !== undefined && first === second
}

/** Reads a regular file that an agent may have made. Undefined if it is something else or can't be read. */
export async function withPlainFile<Value>(
  path: string | Buffer,
  use: (file: FileHandle, size: number) => Promise<Value>,
): Promise<Value | undefined> {
  try {
    await using file = await open(path, PLAIN_FILE)
    const seen = await file.stat()
    return seen.isFile() ? await use(file, seen.size) : undefined
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error
    return undefined
  }
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}
