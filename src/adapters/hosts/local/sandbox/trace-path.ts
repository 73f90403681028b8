import type { Stats } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where a path leads, and the symbolic links on the way, each by its own real place. */
export type TracedPath = {
  readonly path: string
  readonly isDirectory: boolean
  readonly links: readonly SymbolicLink[]
}

export type SymbolicLink = { readonly path: string; readonly target: string }

const MOST_LINKS = 40

/** Nothing when it leads nowhere, or where this user cannot look: a program of this user cannot either. */
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
    const stats = await lookAt(next)
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

async function lookAt(path: string): Promise<Stats | undefined> {
  // Absent and out of reach are the same answer.
  return await lstat(path).catch(() => undefined)
}
