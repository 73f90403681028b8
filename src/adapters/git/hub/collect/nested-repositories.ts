import { lstat } from 'node:fs/promises'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import {
  type IndexEntry,
  type IndexPlace,
  NESTED_REPOSITORY,
  readablePath,
  removalOf,
  writeIndexEntries,
} from '../commit/index-entries.ts'
import type { Git } from '../process/run-git.ts'
import { ignoreCodes } from '../process/system-error.ts'
import type { IndexChange } from './index-file.ts'

const LIMIT = 10_000

/**
 * Takes all nested repositories out of the index and returns them. While one is in it, git would start itself inside
 * that folder to see whether it has changed, and run what an agent configured there.
 */
export async function hideNestedRepositories(
  git: Git,
  place: IndexPlace,
  entries: AsyncGenerator<readonly IndexEntry[], void>,
): Promise<Result<readonly IndexEntry[], GitFailure>> {
  const nested: IndexEntry[] = []
  for await (const batch of entries) {
    nested.push(...batch.filter(({ mode }) => mode === NESTED_REPOSITORY))
    if (nested.length > LIMIT) {
      const problem = `more than ${LIMIT} nested repositories`
      return failure({ type: 'git-failed', command: 'git add', problem })
    }
  }
  const hidden = await writeIndexEntries(git, place, nested.map(removalOf))
  return hidden.ok ? success(nested) : hidden
}

/** What happened to nested repositories while files were added to an index that had none of them. */
export type NestedChanges = {
  readonly take: (change: IndexChange) => void
  /** Repositories that git found in the tree. */
  readonly seen: IndexEntry[]
  /** The paths of hidden repositories that now have files at or below them. */
  readonly occupied: Set<string>
}

export function watchNestedRepositories(nested: readonly IndexEntry[]): NestedChanges {
  const known = new Set(nested.map(({ path }) => path))
  const seen: IndexEntry[] = []
  const occupied = new Set<string>()
  return {
    seen,
    occupied,
    take: ({ path, after }) => {
      if (after?.mode === NESTED_REPOSITORY) seen.push(after)
      else if (after !== undefined && known.size > 0) {
        for (const above of pathsAbove(path)) if (known.has(above)) occupied.add(above)
      }
    },
  }
}

/** Puts back those that are still there as they were, drops new ones, and says what is left out. */
export async function restoreNestedRepositories(
  git: Git,
  place: IndexPlace,
  directory: string,
  nested: readonly IndexEntry[],
  { seen, occupied }: Pick<NestedChanges, 'seen' | 'occupied'>,
): Promise<Result<readonly string[], GitFailure>> {
  const known = new Set(nested.map(({ path }) => path))
  const fresh = seen.filter((entry) => !known.has(entry.path))
  const moved = seen.filter((entry) => known.has(entry.path))
  const kept: IndexEntry[] = []
  for (const entry of nested) {
    if (!occupied.has(entry.path) && (await isFolder(directory, entry.path))) kept.push(entry)
  }
  const written = await writeIndexEntries(git, place, [...fresh.map(removalOf), ...kept])
  if (!written.ok) return written
  return success([
    ...fresh.map(({ path }) => `${readablePath(path)} is a repository of its own and was not taken along`),
    ...moved.map(({ path }) => `the nested repository ${readablePath(path)} stays at the commit it was at`),
  ])
}

/** A path and every folder above it. */
function pathsAbove(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

async function isFolder(directory: string, path: string): Promise<boolean> {
  const whole = Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(path, 'latin1')])
  return (await lstat(whole).catch(ignoreCodes('ENOENT', 'ENOTDIR')))?.isDirectory() === true
}
