import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { systemErrorCode } from '../../../../domain/system-error.ts'
import { entriesOf, type SpecialFile, specialKind } from './special-file.ts'
import { pathIn, withPlainFile } from './tree-files.ts'

/** Far more than a repository has besides its objects, which git doesn't read while it adds a tree. */
const MOST_ENTRIES = 100_000
const POINTER_LIMIT_BYTES = 8192
const POINTER = /^(?:gitdir: )?([^\r\n]+)/

/** A folder that git reads, and what in the tree leads to it if it is not in the tree itself. */
type Place = { readonly at: Buffer; readonly path: string; readonly isBehind: boolean }

/**
 * The files that git would wait for in a nested repository, whose `.git` is at this path of the tree. Git follows links
 * and pointers to other folders. What is found there is reported at the link, because that is what the tree has.
 */
export async function specialFilesOfRepository(
  directory: string,
  path: string,
): Promise<readonly SpecialFile[]> {
  const found: SpecialFile[] = []
  const seen = new Set<string>()
  const places = await placesAt(pathIn(directory, path), path)
  let count = 0
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const id = await identityOf(place.at)
    if (id === undefined || seen.has(id)) continue
    seen.add(id)
    for (const entry of await entriesOf(place.at)) {
      count += 1
      const inner = await inspect(place, entry.name, entry.isSymbolicLink())
      if (inner.kind !== undefined) found.push({ path: inner.path, kind: inner.kind })
      places.push(...inner.places)
    }
    if (count > MOST_ENTRIES) return [{ path, kind: 'repository with too many files' }]
  }
  return found
}

async function inspect({ at, path, isBehind }: Place, name: Buffer, isLink: boolean) {
  const inside = Buffer.concat([at, Buffer.from('/'), name])
  const own = isBehind ? path : `${path}/${name.toString('latin1')}`
  const seen = await stat(inside).catch(ignoreSystemErrors)
  const text = name.toString('latin1')
  const isFolder = seen?.isDirectory() === true && text !== 'objects'
  return {
    path: own,
    kind: seen === undefined ? undefined : specialKind(seen),
    places: [
      ...(isFolder ? [{ at: inside, path: own, isBehind: isBehind || isLink }] : []),
      ...(text === 'commondir' ? await pointedAt(inside, own) : []),
    ],
  }
}

/** A `.git` is a folder, a file that names a folder, or a link to either. */
async function placesAt(at: Buffer, path: string): Promise<Place[]> {
  const own = await lstat(at).catch(ignoreSystemErrors)
  const real = await realpath(at, { encoding: 'buffer' }).catch(ignoreSystemErrors)
  if (own === undefined || real === undefined) return []
  const seen = await stat(real).catch(ignoreSystemErrors)
  if (seen?.isDirectory() === true) return [{ at, path, isBehind: own.isSymbolicLink() }]
  return await pointedAt(real, path)
}

async function pointedAt(file: Buffer, path: string): Promise<Place[]> {
  const text = await withPlainFile(file, async (opened, size) =>
    size > POINTER_LIMIT_BYTES ? '' : await opened.readFile('latin1'),
  )
  const target = POINTER.exec(text ?? '')?.[1]
  if (target === undefined) return []
  const at = Buffer.from(resolve(dirname(file.toString('latin1')), target), 'latin1')
  return [{ at, path, isBehind: true }]
}

async function identityOf(folder: Buffer): Promise<string | undefined> {
  const seen = await stat(folder).catch(ignoreSystemErrors)
  return seen === undefined ? undefined : `${seen.dev}:${seen.ino}`
}

function ignoreSystemErrors(error: unknown): undefined {
  if (systemErrorCode(error) === undefined) throw error
}
