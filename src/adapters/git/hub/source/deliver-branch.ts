import { join } from 'node:path'
import { isBranchName } from '../../../../domain/job/branch-name.ts'
import type { DeliveryFailure, GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { gitFailed, gitText } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { changeRefs } from '../repository/change-refs.ts'
import { fetchObjects } from '../repository/fetch-objects.ts'
import { findRef, isAncestor } from '../repository/find-ref.ts'
import { readShallow, writeGitDirectory } from '../repository/git-directory.ts'
import { isObjectId, objectFormatOf } from '../repository/object-id.ts'
import { openScratch } from '../repository/scratch.ts'
import { findCheckedOutBranches } from './checked-out-branches.ts'
import { findRepositoryAt } from './find-repository.ts'

type Needs = { readonly git: Git }
export type DeliveryRequest = {
  readonly source: string
  readonly branch: string
  /** The commit to deliver. By default, the head of the hub's branch with this name. */
  readonly commit: string | undefined
  /** Where the person's branch must be. By default, at any ancestor of the delivered commit. */
  readonly expected: string | undefined
}
type Delivery = {
  readonly hub: string
  readonly branch: string
  readonly ref: string
  readonly tip: string
  /** The git directory with the person's refs and objects. */
  readonly common: string
  /** The head of the branch in the person's repository, if the branch exists. */
  readonly theirs: string | undefined
}

const OFFERED_REFS = 5_000

/**
 * Fetches objects through a git directory of our own that writes into the person's object store, so that none of their
 * remotes, URL rewrites or hooks are involved. Then moves the one ref by compare-and-swap.
 */
export async function deliverBranch(
  needs: Needs,
  hub: string,
  { source, branch, commit, expected }: DeliveryRequest,
): Promise<Result<void, DeliveryFailure>> {
  const found = await findRepositoryAt(source)
  if (!found.ok)
    return found.failure.type === 'repository-moved'
      ? failure(found.failure)
      : refuse(branch, `${source}: ${found.failure.type}`)
  if (!isBranchName(branch)) return refuse(branch, 'not a branch name')
  const ref = `refs/heads/${branch}`
  const common = found.value.commonDirectory
  const [tip, theirs] = await Promise.all([findTip(needs, hub, ref, commit), findRef(needs, common, ref)])
  if (tip === undefined)
    return refuse(branch, `the hub has no such ${commit === undefined ? 'branch' : 'commit'}`)

  const delivery: Delivery = { hub, branch, ref, tip, common, theirs }
  if (await isDelivered(needs, delivery)) return success(undefined)
  // If the person has moved the branch back or deleted it, the delivery must not undo that.
  if (expected !== undefined && theirs !== expected) return failure({ type: 'branch-diverged', branch })
  const obstacle = await findObstacle(needs, delivery)
  if (obstacle !== undefined) return failure(obstacle)
  return await copyAndMove(needs, delivery)
}

async function findTip(
  needs: Needs,
  hub: string,
  ref: string,
  commit: string | undefined,
): Promise<string | undefined> {
  if (commit === undefined) return await findRef(needs, hub, ref)
  return isObjectId(commit) ? await findRef(needs, hub, `${commit}^{commit}`) : undefined
}

/** True also if the person has added commits since. */
async function isDelivered(needs: Needs, { common, tip, theirs }: Delivery): Promise<boolean> {
  return theirs !== undefined && (theirs === tip || (await isAncestor(needs, common, tip, theirs)))
}

async function findObstacle(needs: Needs, delivery: Delivery): Promise<DeliveryFailure | undefined> {
  const { hub, branch, ref, tip, common, theirs } = delivery
  if (theirs !== undefined && !(await isAncestor(needs, hub, theirs, tip))) {
    return { type: 'branch-diverged', branch }
  }
  const checkedOut = await findCheckedOutBranches(needs, common)
  if (!checkedOut.ok) return checkedOut.failure
  const at = checkedOut.value.get(ref)
  return at === undefined ? undefined : { type: 'branch-checked-out', branch, at }
}

async function copyAndMove(needs: Needs, delivery: Delivery): Promise<Result<void, DeliveryFailure>> {
  const { hub, branch, ref, tip, common, theirs } = delivery
  await using scratch = await openScratch(hub)
  const refs = await theirRefs(needs, common)
  if (!refs.ok) return refs
  const receiver = join(scratch.path, 'receiver')
  const shallow = await readShallow(common)
  await writeGitDirectory({
    path: receiver,
    objectFormat: objectFormatOf(tip),
    refs: refs.value,
    ...(shallow === undefined ? {} : { shallow }),
  })
  const fetched = await fetchObjects(needs, {
    into: receiver,
    from: hub,
    ref: tip,
    as: 'refs/muster/incoming',
    isChecked: false,
    environment: { GIT_OBJECT_DIRECTORY: join(common, 'objects') },
  })
  if (!fetched.ok) return fetched
  if (fetched.value.code !== 0) return refuse(branch, gitFailed(fetched.value).problem)

  const moved = await changeRefs(needs, common, [{ type: 'move', ref, to: tip, from: theirs }])
  if (moved.ok) return moved
  if (moved.failure.type === 'ref-moved') return failure({ type: 'branch-diverged', branch })
  if (moved.failure.type === 'git-failed') return refuse(branch, moved.failure.problem)
  return failure(moved.failure)
}

/** What the person already has, so that git copies only the rest. */
async function theirRefs(
  needs: Needs,
  common: string,
): Promise<Result<Readonly<Record<string, string>>, GitFailure>> {
  const listed = await gitText(needs.git, {
    directory: common,
    arguments: [
      'for-each-ref',
      `--count=${OFFERED_REFS}`,
      '--format=%(objectname)',
      'refs/heads',
      'refs/remotes',
    ],
  })
  if (!listed.ok) return listed
  const ids = [...new Set(listed.value.split('\n'))].filter(isObjectId)
  return success(Object.fromEntries(ids.map((id) => [`refs/muster/offered/${id}`, id])))
}

function refuse(branch: string, problem: string): Result<never, DeliveryFailure> {
  return failure({ type: 'delivery-failed', branch, problem })
}
