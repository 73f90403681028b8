import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { type IndexEntry, type IndexPlace, removalOf, writeIndexEntries } from '../commit/index-entries.ts'
import type { Git } from '../process/run-git.ts'
import { type CommittedChange, listCommittedChanges } from './committed-changes.ts'
import type { IndexChange } from './index-file.ts'
import type { SetupFiles } from './setup-files.ts'

const MOST_CHANGES = 100_000

/** Changes that setup may have made: those of files that were there when it ended, and of files that were not. */
export type SetupChanges = {
  readonly take: (change: IndexChange) => void
  readonly changes: readonly IndexChange[]
}

export function watchSetupFiles(setup: SetupFiles | undefined): SetupChanges {
  const changes: IndexChange[] = []
  return {
    changes,
    take: (change) => {
      if (setup === undefined || changes.length === MOST_CHANGES) return
      if (setup.has(change.path) === (change.after !== undefined)) changes.push(change)
    },
  }
}

/**
 * Takes back the changes of files that are still as setup left them: a new file is removed from the index, a changed or
 * deleted one gets its committed entry. That includes changes that the agent has committed with its own, because
 * `git add --all` takes them too. A file that setup made is ignored by the agent's git, so committing it is a decision.
 * Returns how many there were.
 */
export async function restoreUntouchedFiles(
  git: Git,
  place: IndexPlace,
  setup: SetupFiles | undefined,
  { hub, base, tip, changes }: RestoreRequest,
): Promise<Result<number, GitFailure>> {
  if (setup === undefined) return success(0)
  const committed = await listCommittedChanges(git, hub, { base, tip })
  if (!committed.ok) return committed
  const restored = await committedEntries(setup, changes, committed.value)
  for (const change of changes) {
    const entry = await restoredEntry(setup, change, committed.value)
    if (entry !== undefined) restored.push(entry)
  }
  const written = await writeIndexEntries(git, place, restored)
  return written.ok ? success(restored.length) : written
}

type RestoreRequest = Pick<SetupChanges, 'changes'> & Readonly<Record<'hub' | 'base' | 'tip', string>>

type Committed = ReadonlyMap<string, CommittedChange>

async function restoredEntry(
  setup: SetupFiles,
  { path, before, after }: IndexChange,
  committed: Committed,
): Promise<IndexEntry | undefined> {
  if (after !== undefined) return (await setup.isUntouched(path)) ? (before ?? removalOf(after)) : undefined
  // The agent has made, committed and deleted a file that the tree did not have when it was opened.
  const isNew = committed.has(path) && committed.get(path)?.original === undefined
  return !isNew && (await setup.isGone(path)) ? before : undefined
}

/** The original entries of files that the agent has committed exactly as setup left them. */
async function committedEntries(
  setup: SetupFiles,
  changes: readonly IndexChange[],
  committed: Committed,
): Promise<IndexEntry[]> {
  const uncommitted = new Set(changes.map(({ path }) => path))
  const entries: IndexEntry[] = []
  for (const { path, original, isDeleted } of committed.values()) {
    if (original === undefined || uncommitted.has(path)) continue
    const isOfSetup = isDeleted ? await setup.isGone(path) : await setup.isUntouched(path)
    if (isOfSetup) entries.push(original)
  }
  return entries
}
