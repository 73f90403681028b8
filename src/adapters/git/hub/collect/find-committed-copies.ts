import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { gitText } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'

export type CopiesRequest = {
  readonly base: string
  readonly tip: string
  /** Paths that the base does not have. */
  readonly paths: readonly string[]
}

/**
 * The paths that any commit from `base` to `tip` has touched. What a later commit removed is among them: whoever gets
 * the branch gets every commit of it.
 */
export async function findCommittedCopies(
  needs: { readonly git: Git },
  hub: string,
  { base, tip, paths }: CopiesRequest,
): Promise<Result<readonly string[], GitFailure>> {
  if (base === tip || paths.length === 0) return success([])
  const any = await isTouched(needs.git, hub, { base, tip, paths })
  if (!any.ok) return any
  const found: string[] = []
  for (const path of any.value ? paths : []) {
    const touched = await isTouched(needs.git, hub, { base, tip, paths: [path] })
    if (!touched.ok) return touched
    if (touched.value) found.push(path)
  }
  return success(found)
}

/** Paths are taken by the letter: so git runs here always. */
async function isTouched(
  git: Git,
  hub: string,
  { base, tip, paths }: CopiesRequest,
): Promise<Result<boolean, GitFailure>> {
  const found = await gitText(git, {
    directory: hub,
    arguments: ['rev-list', '--full-history', '--max-count=1', tip, `^${base}`, '--', ...paths],
  })
  return found.ok ? success(found.value !== '') : found
}
