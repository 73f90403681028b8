import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { type IndexEntry, type IndexPlace, removalOf, writeIndexEntries } from '../commit/index-entries.ts'
import type { Git } from '../process/run-git.ts'
import type { IndexChange } from './index-file.ts'
import type { SetupFiles } from './setup-files.ts'

const MOST_CHANGES = 100_000

/** Changes that setup may have made: those of files that were there when it ended. */
export type SetupChanges = {
  readonly take: (change: IndexChange) => void
  readonly changes: readonly IndexChange[]
}

export function watchSetupFiles(setup: SetupFiles | undefined): SetupChanges {
  const changes: IndexChange[] = []
  return {
    changes,
    take: (change) => {
      if (setup === undefined || change.after === undefined || changes.length === MOST_CHANGES) return
      if (setup.has(change.path)) changes.push(change)
    },
  }
}

/**
 * Takes back the changes of files that are still as setup left them: a new file is removed from the index, and a
 * changed one gets its committed entry. Returns how many there were.
 */
export async function restoreUntouchedFiles(
  git: Git,
  place: IndexPlace,
  setup: SetupFiles | undefined,
  { changes }: SetupChanges,
): Promise<Result<number, GitFailure>> {
  const restored: IndexEntry[] = []
  for (const { path, before, after } of changes) {
    if (after === undefined || (await setup?.isUntouched(path)) !== true) continue
    restored.push(before ?? removalOf(after))
  }
  const written = await writeIndexEntries(git, place, restored)
  return written.ok ? success(restored.length) : written
}
