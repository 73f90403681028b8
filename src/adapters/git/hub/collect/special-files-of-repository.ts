import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemErrorCode } from '../../../../domain/system-error.ts'
import { entriesOf, type SpecialFile, specialKind } from './special-file.ts'
import { pathIn, withPlainFile } from './tree-files.ts'

/** Far more than a repository has besides its objects, which git doesn't read while it adds a tree. */
const MOST_ENTRIES = 100_000
const POINTER_LIMIT_BYTES = 8192
const TOO_LONG = Symbol('too long')
/** Git ignores line breaks at the end of a pointer, and takes any others as part of the name. */
const POINTER = /^(?:gitdir: )?([^\r\n\0]+)[\r\n]*$/

/** A folder that git reads, and what in the tree leads to it if it is not in the tree itself. */
type Place = {
  readonly at: Buffer
  readonly path: string
  readonly isBehind: boolean
  /** Whether it is the folder of the repository itself, and not one below. */
  readonly isTop: boolean
}

type Found = { readonly places: readonly Place[]; readonly special?: SpecialFile }
const NOTHING: Found = { places: [] }

/**
 * The files that git would wait for in a nested repository, whose `.git` is at this path of the tree. Git follows links
 * and pointers to other folders. What is found there is reported at the link, because that is what the tree has.
 */
export async function specialFilesOfRepository(
  directory: string,
  path: string,
): Promise<readonly SpecialFile[]> {
  const start = await placesAt(pathIn(directory, path), path)
  const found = start.special === undefined ? [] : [start.special]
  const seen = new Set<string>()
  const places = [...start.places]
  let count = 0
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const id = await identityOf(place.at)
    if (id === undefined || seen.has(id)) continue
    seen.add(id)
    for (const entry of await entriesOf(place.at)) {
      count += 1
      const inner = await inspect(place, entry.name, entry.isSymbolicLink())
      if (inner.special !== undefined) found.push(inner.special)
      places.push(...inner.places)
    }
    if (count > MOST_ENTRIES) return [{ path, kind: 'repository with too many files' }]
  }
  return found
}

async function inspect({ at, path, isBehind, isTop }: Place, name: Buffer, isLink: boolean): Promise<Found> {
  const inside = Buffer.concat([at, Buffer.from('/'), name])
  const text = name.toString('latin1')
  const own = isBehind ? path : `${path}/${text}`
  const seen = await stat(inside).catch(ignoreSystemErrors)
  const kind = seen === undefined ? undefined : specialKind(seen)
  if (kind !== undefined) return { places: [], special: { path: own, kind } }
  if (seen?.isDirectory() !== true)
    return isTop && text === 'commondir' ? await pointedAt(inside, own) : NOTHING
  // Git doesn't read objects while it adds a tree. A branch may have that name too.
  if (isTop && text === 'objects') return NOTHING
  return { places: [{ at: inside, path: own, isBehind: isBehind || isLink, isTop: false }] }
}

/** A `.git` is a folder, a file that names a folder, or a link to either. */
async function placesAt(at: Buffer, path: string): Promise<Found> {
  const own = await lstat(at).catch(ignoreSystemErrors)
  const real = await realpath(at, { encoding: 'buffer' }).catch(ignoreSystemErrors)
  if (own === undefined || real === undefined) return NOTHING
  const seen = await stat(real).catch(ignoreSystemErrors)
  if (seen?.isDirectory() !== true) return await pointedAt(real, path)
  return { places: [{ at, path, isBehind: own.isSymbolicLink(), isTop: true }] }
}

/** The folder that a file names. Links in the name are followed as git follows them, before any `..` after them. */
async function pointedAt(file: Buffer, path: string): Promise<Found> {
  const text = await withPlainFile(file, async (opened, size) =>
    size > POINTER_LIMIT_BYTES ? TOO_LONG : await opened.readFile('latin1'),
  )
  if (text === undefined || text === '') return NOTHING
  const target = text === TOO_LONG ? undefined : POINTER.exec(text)?.[1]
  if (target === undefined) return { places: [], special: { path, kind: 'pointer of an unusual form' } }
  const full = target.startsWith('/') ? target : `${dirname(file.toString('latin1'))}/${target}`
  const at = await realpath(Buffer.from(full, 'latin1'), { encoding: 'buffer' }).catch(ignoreSystemErrors)
  return at === undefined ? NOTHING : { places: [{ at, path, isBehind: true, isTop: true }] }
}

async function identityOf(folder: Buffer): Promise<string | undefined> {
  const seen = await stat(folder).catch(ignoreSystemErrors)
  return seen === undefined ? undefined : `${seen.dev}:${seen.ino}`
}

function ignoreSystemErrors(error: unknown): undefined {
  if (systemErrorCode(error) === undefined) throw error
}
