import type { DeliveryFailure, RepositoryMoved } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { Git } from '../process/run-git.ts'
import { changeRefs } from '../repository/change-refs.ts'
import { findRef } from '../repository/find-ref.ts'
import { findCheckedOutBranches } from './checked-out-branches.ts'
import { findContained } from './contained-commits.ts'
import { findRepositoryAt } from './find-repository.ts'

type Needs = { readonly git: Git }
/** A repository that is gone is no obstacle: its branch is gone too. */
type RemovalObstacle = Exclude<DeliveryFailure, RepositoryMoved>

/** Where a branch of the person's repository is. */
export async function findTipIn(needs: Needs, source: string, branch: string): Promise<string | undefined> {
  const found = await findRepositoryAt(source)
  return found.ok ? await findRef(needs, found.value.commonDirectory, `refs/heads/${branch}`) : undefined
}

export type RemovalQuestion = { readonly source: string; readonly branch: string; readonly delivered: string }

/**
 * The commit at which a branch of the person's repository can be deleted: the one that was delivered, or one that other
 * branches contain. Undefined if there is no such branch.
 */
export async function findRemovable(
  needs: Needs,
  { source, branch, delivered }: RemovalQuestion,
): Promise<Result<string | undefined, RemovalObstacle>> {
  const found = await findRepositoryAt(source)
  const at = await findTipIn(needs, source, branch)
  if (!found.ok || at === undefined) return success(undefined)
  const isKept = async () => (await findContained(needs, { source, commits: [at], except: branch })).has(at)
  if (at !== delivered && !(await isKept())) return failure({ type: 'branch-diverged', branch })
  const obstacle = await findCheckout(needs, found.value.commonDirectory, branch)
  return obstacle === undefined ? success(at) : failure(obstacle)
}

export type BranchRemoval = { readonly source: string; readonly branch: string; readonly at: string }

/** Deletes a branch of the person's repository if it is at this commit and no checkout uses it. */
export async function removeBranch(
  needs: Needs,
  { source, branch, at }: BranchRemoval,
): Promise<Result<void, DeliveryFailure>> {
  const found = await findRepositoryAt(source)
  // Without the repository, its branch is gone too.
  if (!found.ok) return success(undefined)
  const common = found.value.commonDirectory
  const ref = `refs/heads/${branch}`
  if ((await findRef(needs, common, ref)) === undefined) return success(undefined)
  const obstacle = await findCheckout(needs, common, branch)
  if (obstacle !== undefined) return failure(obstacle)
  const removed = await changeRefs(needs, common, [{ type: 'remove', ref, from: at }])
  if (removed.ok) return removed
  return failure(removed.failure.type === 'ref-moved' ? { type: 'branch-diverged', branch } : removed.failure)
}

async function findCheckout(
  needs: Needs,
  common: string,
  branch: string,
): Promise<RemovalObstacle | undefined> {
  const checkedOut = await findCheckedOutBranches(needs, common)
  if (!checkedOut.ok) return checkedOut.failure
  const at = checkedOut.value.get(`refs/heads/${branch}`)
  return at === undefined ? undefined : { type: 'branch-checked-out', branch, at }
}
