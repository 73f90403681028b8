import { isBranchName } from '../../../../domain/job/branch-name.ts'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { HubGit } from '../process/companions.ts'
import { changeHubRefs } from './change-refs.ts'
import { findRef } from './find-ref.ts'
import { isObjectId } from './object-id.ts'

export type BranchMove = { readonly branch: string; readonly to: string; readonly from: string | undefined }

/** Compare-and-swap. A branch that is at `to` already has been moved: by this call before it died. */
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
  if (await moveQuickly(needs, hub, { ref, to, from })) return success(undefined)
  const moved = await changeHubRefs(needs, hub, [{ type: 'move', ref, to, from }])
  if (moved.ok) return moved
  if (moved.failure.type !== 'ref-moved') return failure(moved.failure)
  if ((await findRef(needs, hub, ref)) === to) return success(undefined)
  return failure({ type: 'branch-moved' })
}

/** False also when it cannot be told: the git that is run then finds the branch moved, or says what is wrong. */
async function moveQuickly(
  needs: HubGit,
  hub: string,
  { ref, to, from }: { readonly ref: string; readonly to: string; readonly from: string | undefined },
): Promise<boolean> {
  if (from === undefined || !isObjectId(from)) return false
  const answer = await needs.companions.ask(hub, 'update-ref', `start\nupdate ${ref} ${to} ${from}\ncommit\n`)
  return answer !== undefined
}
