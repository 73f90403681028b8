import { isBranchName } from '../../../../domain/job/branch-name.ts'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { HubGit } from '../process/companions.ts'
import { changeHubRefs, changeQuickly, type RefChange } from './change-refs.ts'
import { findRef } from './find-ref.ts'
import { isObjectId } from './object-id.ts'

export type BranchMove = { readonly branch: string; readonly to: string; readonly from: string | undefined }

/** Moves a branch by compare-and-swap. A branch that is already at `to` was moved by this call before a crash. */
export async function moveBranch(
  needs: HubGit,
  hub: string,
  { branch, to, from }: BranchMove,
): Promise<Result<void, { readonly type: 'branch-moved' } | GitFailure>> {
  if (!isBranchName(branch) || !isObjectId(to)) {
    const problem = `cannot move ${branch} to ${to}`
    return failure({ type: 'git-failed', command: 'git update-ref', problem })
  }
  const ref = `refs/heads/${branch}`
  const move: RefChange = { type: 'move', ref, to, from }
  if (from !== undefined && isObjectId(from) && (await changeQuickly(needs, hub, [move]))) {
    return success(undefined)
  }
  const moved = await changeHubRefs(needs, hub, [move])
  if (moved.ok) return moved
  if (moved.failure.type !== 'ref-moved') return failure(moved.failure)
  if ((await findRef(needs, hub, ref)) === to) return success(undefined)
  return failure({ type: 'branch-moved' })
}
