import { failure, type Result, success } from '../../../../domain/result.ts'
import type { IndexChange } from './index-file.ts'

/** A person or an agent may delete a small repository file by file. */
const HANDFUL = 10
const LARGE_SHARE = 0.5

export type MissingFiles = {
  readonly take: (change: IndexChange) => void
  /** The failure says why a tree that lacks so many files is not collected as a deletion. */
  readonly judge: (committed: number) => Result<void, string>
}

/**
 * Counts the files of the commit that a tree doesn't have. A file whose content is now somewhere else was moved. A tree
 * that lacks most of its files is more likely incomplete than a piece of work. The paths in `except` are known to be
 * left out on purpose.
 */
export function watchMissingFiles(except: ReadonlySet<string>): MissingFiles {
  const missing = new Map<string, number>()
  const added: string[] = []
  return {
    take: ({ path, before, after }) => {
      if (except.has(path)) return
      if (before !== undefined && after === undefined) {
        missing.set(before.id, (missing.get(before.id) ?? 0) + 1)
      }
      if (before === undefined && after !== undefined) added.push(after.id)
    },
    judge: (committed) => {
      const left = new Map(missing)
      for (const id of added) {
        const count = left.get(id)
        if (count !== undefined && count > 0) left.set(id, count - 1)
      }
      const count = [...left.values()].reduce((sum, one) => sum + one, 0)
      if (count <= HANDFUL || count <= committed * LARGE_SHARE) return success(undefined)
      return failure(
        `${count} of the ${committed} files are missing from its working tree, and none of its commits deletes them; if the deletion is intended, commit it`,
      )
    },
  }
}
