import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { type IndexEntry, NESTED_REPOSITORY } from '../commit/index-entries.ts'
import { type RawEntry, readRawChanges } from '../history/read-raw-changes.ts'
import type { Git } from '../process/run-git.ts'

/** A file that commits have changed or deleted. `original` is undefined if they have added it. */
export type CommittedChange = {
  readonly path: string
  readonly original: IndexEntry | undefined
  /** What the commits leave there. */
  readonly left: 'file' | 'repository' | 'nothing'
}

const MOST_CHANGES = 100_000

/** What the commits between two commits have changed, by path. The first hundred thousand files. */
export async function listCommittedChanges(
  git: Git,
  hub: string,
  { base, tip }: { readonly base: string; readonly tip: string },
): Promise<Result<ReadonlyMap<string, CommittedChange>, GitFailure>> {
  const changes = new Map<string, CommittedChange>()
  if (base === tip) return success(changes)
  const compared = await readRawChanges(git, hub, {
    from: base,
    to: tip,
    take: ({ path: bytes, before, after }) => {
      if (before?.mode === NESTED_REPOSITORY) return undefined
      const path = bytes.toString('latin1')
      const original = before === undefined ? undefined : { ...before, path }
      changes.set(path, { path, original, left: leftBy(after) })
      return changes.size === MOST_CHANGES ? 'enough' : undefined
    },
  })
  return compared.ok ? success(changes) : compared
}

function leftBy(after: RawEntry | undefined): CommittedChange['left'] {
  if (after === undefined) return 'nothing'
  return after.mode === NESTED_REPOSITORY ? 'repository' : 'file'
}
