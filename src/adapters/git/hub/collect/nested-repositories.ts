import { lstat } from 'node:fs/promises'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import {
  eachIndexEntry,
  type IndexEntry,
  type IndexPlace,
  NESTED_REPOSITORY,
  readablePath,
  removalOf,
  writeIndexEntries,
} from '../commit/index-entries.ts'
import type { Git } from '../process/run-git.ts'
import { ignoreCodes } from '../process/system-error.ts'

const LIMIT = 10_000

/**
 * Takes all nested repositories out of the index, and answers which they were. While one is in it, git would
 * start itself inside that folder to see whether it has changed, and run what an agent configured there.
 */
export async function hideNestedRepositories(
  git: Git,
  place: IndexPlace,
): Promise<Result<readonly IndexEntry[], GitFailure>> {
  const nested: IndexEntry[] = []
  const listed = await eachIndexEntry(git, place, (entry) => {
    if (entry.mode === NESTED_REPOSITORY && nested.length <= LIMIT) nested.push(entry)
  })
  if (!listed.ok) return listed
  if (nested.length > LIMIT) {
    const problem = `more than ${LIMIT} nested repositories`
    return failure({ type: 'git-failed', command: 'git ls-files', problem })
  }
  const hidden = await writeIndexEntries(git, place, nested.map(removalOf))
  return hidden.ok ? success(nested) : hidden
}

/** Puts back those that are still there as they were, drops new ones, and says what stays behind. */
export async function restoreNestedRepositories(
  git: Git,
  place: IndexPlace,
  directory: string,
  nested: readonly IndexEntry[],
): Promise<Result<readonly string[], GitFailure>> {
  const known = new Map(nested.map((entry) => [entry.path, entry]))
  const occupied = new Set<string>()
  const seen: IndexEntry[] = []
  const listed = await eachIndexEntry(git, place, (entry) => {
    if (entry.mode === NESTED_REPOSITORY) return seen.push(entry)
    if (known.size === 0) return
    for (const path of pathsAbove(entry.path)) if (known.has(path)) occupied.add(path)
  })
  if (!listed.ok) return listed

  const fresh = seen.filter((entry) => !known.has(entry.path))
  const moved = seen.filter((entry) => known.get(entry.path)?.id !== entry.id && known.has(entry.path))
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
