import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Result } from '../../../../domain/result.ts'
import type { HiddenNames } from '../../../../domain/session/sandbox-policy.ts'
import { limitPlaces, type Overcrowded } from './limit-places.ts'
import { matchNames, type NameMatch } from './match-names.ts'
import { isBelow } from './plan-mounts.ts'
import { tracePath } from './trace-path.ts'

/** Deep enough for a tool's settings: `.nvm/versions/node/v24.0.0/etc`. */
const DEPTH = 5
/** In each root. Every session waits for this, so it must end soon. */
const MOST_DIRECTORIES = 3000
/** How many directories are read at once. */
const AT_ONCE = 200
/** Each hidden directory costs a mount. If more of them are in one place, the place itself is hidden. */
const MOST_HIDDEN_TOGETHER = 20
/** These contain code and data that anyone can download, in very many directories. */
const PACKAGES = new Set([
  ...[
    '.git',
    '_cacache',
    'dist-packages',
    'git/checkouts',
    'git/db',
    'include',
    'install/cache',
    'lib',
    'lib64',
  ],
  ...['libexec', 'node_modules', 'pkg/mod', 'registry', 'share', 'site-packages', 'store', 'vendor'],
])

type Search = {
  readonly isHidden: NameMatch
  readonly root: string
  /** Hidden anyway, or a root that is searched by itself. */
  readonly known: ReadonlySet<string>
}

/** The directories in one directory. */
type Group = {
  readonly parent: string
  readonly directories: readonly string[]
  readonly depth: number
  /** How many directories are in it and beside each directory above it. */
  readonly weight: number
}

type Look = { readonly found: readonly string[]; readonly below: readonly string[] }

/**
 * The real paths of everything with one of these names. Directories in `except` that are on the way are left out. Where
 * there are too many directories to look into, or too many such names to hide one by one, the place that contains them
 * is in the result: nothing may be readable only because it is in a crowd.
 */
export async function findNamed(
  names: HiddenNames,
  except: readonly string[],
): Promise<Result<readonly string[], Overcrowded>> {
  const traced = await Promise.all(names.within.map(tracePath))
  const roots = new Set(traced.flatMap((root) => (root?.isDirectory === true ? [root.path] : [])))
  const known = new Set([...except, ...roots])
  const isHidden = matchNames(names)
  const found = await Promise.all([...roots].map((root) => searchRoot({ isHidden, root, known })))
  return limitPlaces(found.flat(), roots)
}

/** Small groups come first, so a directory with thousands of others in it doesn't keep anything else from being seen. */
async function searchRoot(search: Search): Promise<readonly string[]> {
  const found: string[] = []
  let waiting: readonly Group[] = [{ parent: search.root, directories: [search.root], depth: 1, weight: 1 }]
  let left = MOST_DIRECTORIES
  while (waiting.length > 0) {
    const batch = nextBatch(waiting, left, search.root)
    if (batch.length === 0) break
    const looked = await Promise.all(batch.map((group) => lookIntoGroup(search, group)))
    left -= batch.reduce((sum, { directories }) => sum + directories.length, 0)
    found.push(...looked.flatMap((one) => one.found))
    const taken = new Set(batch)
    waiting = [...waiting.filter((group) => !taken.has(group)), ...looked.flatMap(({ groups }) => groups)]
  }
  const unseen = waiting.map(({ parent }) => parent)
  return [...found, ...joinCrowds(unseen, search.root)]
}

/** The lightest groups. What is directly in the root is always looked at, because a root can't be hidden. */
function nextBatch(waiting: readonly Group[], left: number, root: string): readonly Group[] {
  const batch: Group[] = []
  let size = 0
  for (const group of waiting.toSorted((one, other) => one.weight - other.weight)) {
    const next = size + group.directories.length
    if (next > left && group.parent !== root) continue
    if (batch.length > 0 && next > AT_ONCE) break
    batch.push(group)
    size = next
  }
  return batch
}

async function lookIntoGroup(
  { isHidden, known }: Search,
  { directories, depth, weight }: Group,
): Promise<{ readonly found: readonly string[]; readonly groups: readonly Group[] }> {
  const looks = await Promise.all(directories.map((directory) => lookInto(isHidden, directory)))
  const groups = looks.flatMap(({ below }, index): readonly Group[] => {
    const unknown = below.filter((path) => !known.has(path))
    const parent = directories[index]
    if (parent === undefined || unknown.length === 0 || depth === DEPTH) return []
    return [{ parent, directories: unknown, depth: depth + 1, weight: weight + unknown.length }]
  })
  return { found: looks.flatMap(({ found }) => found), groups }
}

function joinCrowds(places: readonly string[], root: string): readonly string[] {
  const counts = new Map<string, number>()
  for (const place of places) counts.set(dirname(place), (counts.get(dirname(place)) ?? 0) + 1)
  const isCrowd = (parent: string) => (counts.get(parent) ?? 0) > MOST_HIDDEN_TOGETHER && parent !== root
  const joined = new Set(places.map((place) => (isCrowd(dirname(place)) ? dirname(place) : place)))
  return joined.size === places.length ? [...joined] : joinCrowds([...joined], root)
}

async function lookInto(isHidden: NameMatch, directory: string): Promise<Look> {
  // A program of this user can't list it either.
  const entries = await readdir(directory, { withFileTypes: true }).catch((): Dirent[] => [])
  const found = await findIn(isHidden, directory, entries)
  if (isOfPackages(directory)) return { found, below: [] }
  const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name))
  return { found, below: below.filter((path) => !found.includes(path)) }
}

async function findIn(
  isHidden: NameMatch,
  directory: string,
  entries: readonly Dirent[],
): Promise<readonly string[]> {
  const place = basename(directory)
  const found: string[] = []
  for (const { name } of entries) {
    if (!isHidden('directories', place, name) && !isHidden('files', place, name)) continue
    const target = await tracePath(join(directory, name))
    if (target === undefined || !isHidden(target.isDirectory ? 'directories' : 'files', place, name)) continue
    // A link's target is hidden only if it is shown because of this directory.
    if (isBelow(target.path, directory)) found.push(target.path)
  }
  return found
}

function isOfPackages(directory: string): boolean {
  const name = basename(directory)
  return PACKAGES.has(name) || PACKAGES.has(`${basename(dirname(directory))}/${name}`)
}
