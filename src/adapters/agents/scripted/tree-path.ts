import { lstat, realpath } from 'node:fs/promises'
import path from 'node:path'

/** The place of `file` in the tree. Throws when it would leave the tree, by dots or by a symbolic link. */
export async function requireTreePath(tree: string, file: string): Promise<string> {
  const root = await realpath(tree)
  const target = path.resolve(root, file)
  const reached = isBelow(root, target) ? await realPlace(target) : undefined
  if (reached === undefined || !isBelow(root, reached)) throw new Error(`${file} leaves the working tree`)
  return target
}

function isBelow(root: string, target: string): boolean {
  return target.startsWith(`${root}${path.sep}`)
}

/** Where a path leads with its links followed, as far as it exists; nothing when a link leads nowhere. */
async function realPlace(target: string): Promise<string | undefined> {
  const missing: string[] = []
  for (let place = target; ; place = path.dirname(place)) {
    const real = await orUndefined(realpath(place))
    if (real !== undefined) return path.join(real, ...missing)
    if ((await orUndefined(lstat(place))) !== undefined) return undefined
    missing.unshift(path.basename(place))
  }
}

async function orUndefined<Value>(wanted: Promise<Value>): Promise<Value | undefined> {
  try {
    return await wanted
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
