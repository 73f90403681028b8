import { lstat, readlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The real path, and the symbolic links on the way, each with its own real path. */
export type TracedPath = {
  readonly path: string
  readonly isDirectory: boolean
  readonly links: readonly SymbolicLink[]
}

export type SymbolicLink = { readonly path: string; readonly target: string }

const MOST_LINKS = 40

/** Undefined if the path doesn't exist or this user can't reach it. A program of this user can't reach it either. */
export async function tracePath(path: string): Promise<TracedPath | undefined> {
  const links: SymbolicLink[] = []
  let pending = namesIn(path)
  let reached = '/'
  let isDirectory = true
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === '..') {
      reached = dirname(reached)
      continue
    }
    const next = join(reached, name)
    // Absent and unreachable paths are treated alike.
    const stats = await lstat(next).catch(() => undefined)
    if (stats === undefined || links.length > MOST_LINKS) return undefined
    if (!stats.isSymbolicLink()) {
      reached = next
      isDirectory = stats.isDirectory()
      continue
    }
    const target = await readlink(next)
    links.push({ path: next, target })
    if (target.startsWith('/')) reached = '/'
    pending = [...namesIn(target), ...pending]
  }
  return { path: reached, isDirectory, links }
}

function namesIn(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.')
}
