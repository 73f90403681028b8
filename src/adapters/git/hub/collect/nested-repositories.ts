import { join } from 'node:path'
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
import { foldersAbove } from './folders-above.ts'
import type { IndexChange } from './index-file.ts'
import { isInnerFolder, withPlainFile } from './tree-files.ts'

const LIMIT = 10_000
const MODULES_LIMIT_BYTES = 1024 * 1024
const SUBMODULE_PATH = /^[ \t]*path[ \t]*=[ \t]*"?([^"\n]+?)"?[ \t\r]*$/gm

/**
 * Removes all nested repositories from the index and returns them. Otherwise git would start another git inside each of
 * them to see whether it has changed, and run whatever the agent has configured there.
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
      return failure({ type: 'git-failed', command: 'git add', problem, isPermanent: true })
    }
  }
  const hidden = await writeIndexEntries(git, place, nested.map(removalOf))
  return hidden.ok ? success(nested) : hidden
}

/** What became of nested repositories while files were added to an index without them. */
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
        for (const above of [...foldersAbove(path), path]) if (known.has(above)) occupied.add(above)
      }
    },
  }
}

/** What happens to nested repositories once the other files are in the index. */
export type NestedPlan = {
  /** Entries that stay, or come back, as repositories. */
  readonly kept: readonly IndexEntry[]
  /** Entries that git added and that must go. */
  readonly removed: readonly IndexEntry[]
  /** Folders whose files are added as plain files. */
  readonly opened: readonly string[]
  readonly omissions: readonly string[]
}

export type NestedSnapshot = Pick<NestedChanges, 'seen' | 'occupied'> & {
  readonly directory: string
  /** Hidden from the index: the repositories of the commit that the tree is compared with. */
  readonly nested: readonly IndexEntry[]
  /** Those of the commit that the tree was opened at. */
  readonly original: ReadonlySet<string>
  /** Repositories without a commit, which git can't add. */
  readonly withoutCommit: readonly string[]
}

/**
 * A repository that was there before stays at its commit, and so does a submodule that the agent has declared. Any
 * other exists only in this tree: an entry that names its commit would point to nowhere, so its files are taken.
 */
export async function planNestedRepositories(snapshot: NestedSnapshot): Promise<NestedPlan> {
  const { directory, nested, original, seen, occupied, withoutCommit } = snapshot
  const declared = await readSubmodules(directory)
  const known = new Set(nested.map(({ path }) => path))
  const fresh = seen.filter(({ path }) => !known.has(path))
  const present: IndexEntry[] = []
  for (const entry of nested) {
    if (!occupied.has(entry.path) && (await isInnerFolder(directory, entry.path))) present.push(entry)
  }
  const isRepository = ({ path }: IndexEntry) => original.has(path) || declared.has(path)
  const moved = seen.filter(({ path }) => known.has(path) && original.has(path))
  const opened = [...fresh, ...present].filter((entry) => !isRepository(entry)).map(({ path }) => path)
  return {
    kept: present.filter(isRepository),
    removed: fresh.filter((entry) => !isRepository(entry)),
    opened: [...opened, ...withoutCommit],
    omissions: moved.map(({ path }) => `the nested repository ${readablePath(path)} stays at its old commit`),
  }
}

/** The paths that .gitmodules names. */
async function readSubmodules(directory: string): Promise<ReadonlySet<string>> {
  const text = await withPlainFile(join(directory, '.gitmodules'), async (file, size) =>
    size > MODULES_LIMIT_BYTES ? '' : await file.readFile('latin1'),
  )
  return new Set([...(text ?? '').matchAll(SUBMODULE_PATH)].flatMap(([, path]) => path ?? []))
}
