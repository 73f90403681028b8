import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { TreeDiff } from '../../../../ports/history.ts'
import { gitFailed } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { isObjectId } from '../repository/object-id.ts'
import { cutPatch } from './cut-patch.ts'
import { listChanges } from './list-changes.ts'

const MOST_FILES = 5_000
/** The most that is read, before it is cut to what the caller asked for. */
const MOST_PATCH_BYTES = 16 * 1024 * 1024
/** Our configuration defines no external diff programs. The options rule them out as well. */
const OPTIONS = ['-r', '-M', '-l1000', '--no-ext-diff', '--no-textconv', '--no-color']

export type DiffRequest = { readonly from: string; readonly to: string; readonly maxPatchBytes: number }

/** The difference between two commits, for a person or an agent to read. */
export async function readDiff(
  needs: { readonly git: Git },
  hub: string,
  { from, to, maxPatchBytes }: DiffRequest,
): Promise<Result<TreeDiff, GitFailure>> {
  if (!isObjectId(from) || !isObjectId(to)) {
    return failure({
      type: 'git-failed',
      command: 'git diff-tree',
      problem: `cannot compare ${from} and ${to}`,
    })
  }
  const [counted, printed] = await Promise.all([
    listChanges(needs.git, hub, { options: OPTIONS, from, to, most: MOST_FILES }),
    needs.git({
      directory: hub,
      arguments: ['diff-tree', ...OPTIONS, '-p', '--end-of-options', from, to],
      settings: ['core.quotePath=false'],
      cutAfterBytes: MOST_PATCH_BYTES,
    }),
  ])
  if (!counted.ok) return counted
  if (!printed.ok) return printed
  if (printed.value.code !== 0) return failure(gitFailed(printed.value))
  const { stdout, isCut } = printed.value
  return success({
    files: counted.value.slice(0, MOST_FILES),
    patch: cutPatch(stdout, Math.max(0, maxPatchBytes)),
    isCut: isCut || stdout.length > maxPatchBytes || counted.value.length > MOST_FILES,
  })
}
