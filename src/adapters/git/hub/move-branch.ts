import { isBranchName } from '../../../domain/job/branch-name.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { GitFailure } from '../../../ports/hub.ts'
import { changeHubRefs } from './change-refs.ts'
import { findRef } from './find-ref.ts'
import { isObjectId } from './object-id.ts'
import type { Git } from './run-git.ts'

export type BranchMove = { readonly branch: string; readonly to: string; readonly from: string | undefined }

/** Compare-and-swap. A branch that is at `to` already has been moved: by this call before it died. */
export async function moveBranch(
  needs: { readonly git: Git },
  hub: string,
  { branch, to, from }: BranchMove,
): Promise<Result<void, { readonly type: 'branch-moved' } | GitFailure>> {
  if (!isBranchName(branch) || !isObjectId(to)) {
    const problem = `cannot move ${branch} to ${to}`
    return failure({ type: 'git-failed', command: 'git update-ref', problem })
  }
  const ref = `refs/heads/${branch}`
  const moved = await changeHubRefs(needs, hub, [{ type: 'move', ref, to, from }])
  if (moved.ok) return moved
  if (moved.failure.type !== 'ref-moved') return failure(moved.failure)
  if ((await findRef(needs, hub, ref)) === to) return success(undefined)
  return failure({ type: 'branch-moved' })
}
