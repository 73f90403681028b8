import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { HiddenNames } from '../../../../domain/session/sandbox-policy.ts'
import { isBelow } from './plan-mounts.ts'
import { tracePath } from './trace-path.ts'

/** Deep enough for a tool's settings: `.nvm/versions/node/v24.0.0/etc`. */
const DEPTH = 5
/** Every session waits for this, so it must end soon. Directories near the top are looked at first. */
const MOST_DIRECTORIES = 1000
/** These contain code and data that anyone can download, in very many directories. */
const PACKAGES = new Set([
  ...['.git', 'dist-packages', 'include', 'lib', 'lib64', 'libexec', 'node_modules', 'pkg', 'registry'],
  ...['share', 'site-packages', 'src', 'store', 'vendor'],
])

/** The real paths of everything with one of these names. Directories in `except` that are on the way are left out. */
export async function findNamed(names: HiddenNames, except: readonly string[]): Promise<readonly string[]> {
  const roots = await Promise.all(names.within.map(tracePath))
  const known = new Set(except)
  const found: string[] = []
  let level = new Set(roots.flatMap((root) => (root?.isDirectory === true ? [root.path] : [])))
  let left = MOST_DIRECTORIES
  for (let depth = 1; depth <= DEPTH && level.size > 0 && left > 0; depth += 1) {
    const looks = await Promise.all([...level].slice(0, left).map((directory) => lookInto(names, directory)))
    left -= looks.length
    for (const directory of level) known.add(directory)
    found.push(...looks.flatMap((look) => look.found))
    level = new Set(looks.flatMap((look) => look.below).filter((directory) => !known.has(directory)))
  }
  return found
}

type Look = { readonly found: readonly string[]; readonly below: readonly string[] }

async function lookInto(names: HiddenNames, directory: string): Promise<Look> {
  // A program of this user can't list it either.
  const entries = await readdir(directory, { withFileTypes: true }).catch((): Dirent[] => [])
  const hasName = ({ name }: Dirent, isDirectory: boolean) => {
    const list = isDirectory ? names.directories : names.files
    return list.includes(name) || list.includes(`${basename(directory)}/${name}`)
  }
  const found: string[] = []
  for (const entry of entries.filter((one) => hasName(one, true) || hasName(one, false))) {
    const target = await tracePath(join(directory, entry.name))
    if (target === undefined || !hasName(entry, target.isDirectory)) continue
    // A link's target is hidden only if it is shown because of this directory.
    if (isBelow(target.path, directory)) found.push(target.path)
  }
  if (PACKAGES.has(basename(directory))) return { found, below: [] }
  const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name))
  return { found, below: below.filter((path) => !found.includes(path)) }
}
