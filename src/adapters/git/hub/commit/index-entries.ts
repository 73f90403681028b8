import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { gitText } from '../process/git-answer.ts'
import type { Git, GitCall } from '../process/run-git.ts'
import { absentIdLike } from '../repository/object-id.ts'

/** Paths are bytes, decoded as latin1, because names need not be text. */
export type IndexEntry = { readonly mode: string; readonly id: string; readonly path: string }

export const NESTED_REPOSITORY = '160000'

/** A git call without its arguments: which git directory and which index to use. */
export type IndexPlace = Omit<GitCall, 'arguments' | 'input' | 'onRecord'>

export async function writeIndexEntries(
  git: Git,
  place: IndexPlace,
  entries: readonly IndexEntry[],
): Promise<Result<void, GitFailure>> {
  if (entries.length === 0) return success(undefined)
  const lines = entries.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`).join('')
  const input = Buffer.from(lines, 'latin1')
  const written = await gitText(git, { ...place, arguments: ['update-index', '-z', '--index-info'], input })
  return written.ok ? success(undefined) : written
}

/** Git removes an entry that is written with mode 0. */
export function removalOf(entry: IndexEntry): IndexEntry {
  return { mode: '0', id: absentIdLike(entry.id), path: entry.path }
}

export function readablePath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}
