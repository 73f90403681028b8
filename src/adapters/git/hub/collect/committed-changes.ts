import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { type IndexEntry, NESTED_REPOSITORY } from '../commit/index-entries.ts'
import { gitText } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'

/** A file that commits have changed or deleted. `original` is undefined if they have added it. */
export type CommittedChange = {
  readonly path: string
  readonly original: IndexEntry | undefined
  /** What the commits leave there. */
  readonly left: 'file' | 'repository' | 'nothing'
}

const MOST_CHANGES = 100_000
const HEADER = /^:(\d+) (\d+) ([0-9a-f]+) /
const ABSENT = '000000'

/** What the commits between two commits have changed, by path. The first hundred thousand files. */
export async function listCommittedChanges(
  git: Git,
  hub: string,
  { base, tip }: { readonly base: string; readonly tip: string },
): Promise<Result<ReadonlyMap<string, CommittedChange>, GitFailure>> {
  const changes = new Map<string, CommittedChange>()
  if (base === tip) return success(changes)
  let header: RegExpExecArray | undefined
  const compared = await gitText(git, {
    directory: hub,
    arguments: [
      'diff-tree',
      '-r',
      '-z',
      '--raw',
      '--no-renames',
      '--no-abbrev',
      '--end-of-options',
      base,
      tip,
    ],
    onRecord: (record) => {
      const text = record.toString('latin1')
      if (header === undefined) {
        header = HEADER.exec(text) ?? undefined
        return undefined
      }
      const [, mode = ABSENT, after, id = ''] = header
      header = undefined
      if (mode === NESTED_REPOSITORY) return undefined
      const original = mode === ABSENT ? undefined : { mode, id, path: text }
      changes.set(text, { path: text, original, left: leftBy(after) })
      return changes.size === MOST_CHANGES ? 'enough' : undefined
    },
  })
  return compared.ok ? success(changes) : compared
}

function leftBy(mode: string | undefined): CommittedChange['left'] {
  if (mode === ABSENT) return 'nothing'
  return mode === NESTED_REPOSITORY ? 'repository' : 'file'
}
