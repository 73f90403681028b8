import { lstat } from 'node:fs/promises'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { Collected, CollectRequest } from '../../../../ports/working-trees.ts'
import { findCommitFacts } from '../commit/commit-facts.ts'
import { makeCommit } from '../commit/make-commit.ts'
import { ignoreCodes } from '../process/system-error.ts'
import { type RefChange, setHubRefs } from '../repository/change-refs.ts'
import { type HubNeeds, hubPath } from '../repository/hub-repository.ts'
import { isObjectId } from '../repository/object-id.ts'
import { openScratch } from '../repository/scratch.ts'
import { findCommittedCopies } from './find-committed-copies.ts'
import { findExcluded } from './find-excluded.ts'
import { findWork } from './find-work.ts'
import { takeCommits } from './take-commits.ts'
import { takeSnapshot } from './take-snapshot.ts'

const OWN_ADDRESS = 'muster@localhost'

/** Pins what an attempt left: its commits, and on top of them everything that it did not commit. */
export async function collectTree(
  needs: HubNeeds,
  request: CollectRequest,
): Promise<Result<Collected, GitFailure>> {
  if (!isObjectId(request.base)) {
    const problem = `${request.base} is not a commit`
    return failure({ type: 'git-failed', command: 'git read-tree', problem })
  }
  const seen = await lstat(request.directory).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  return seen?.isDirectory() ? await collectPresent(needs, request) : await collectAbsent(needs, request)
}

async function collectPresent(
  needs: HubNeeds,
  request: CollectRequest,
): Promise<Result<Collected, GitFailure>> {
  const hub = hubPath(needs, request.project)
  await using scratch = await openScratch(hub)
  const taken = await takeCommits(needs, hub, request, scratch.path)
  if (!taken.ok) return taken
  const { own, omission, incoming } = taken.value
  const { directory, message } = request
  const exclude = await findExcluded(needs, hub, request)
  if (!exclude.ok) return exclude
  const snapshot = await takeSnapshot(needs, {
    hub,
    scratch: scratch.path,
    directory,
    tip: own.commit,
    exclude: exclude.value,
  })
  if (!snapshot.ok) return snapshot

  const { tree } = snapshot.value
  const isClean = tree === own.tree
  const tip = isClean
    ? success(own.commit)
    : await makeCommit(needs, hub, { tree, parents: [own.commit], message, time: own.time })
  if (!tip.ok) return tip
  const omissions = [...(omission === undefined ? [] : [omission]), ...snapshot.value.omissions]
  return await pin(needs, request, { tip: tip.value, committedForAgent: !isClean, omissions }, incoming)
}

/** The tree is gone: what an earlier call has pinned is all there is, or else nothing was done. */
async function collectAbsent(
  needs: HubNeeds,
  request: CollectRequest,
): Promise<Result<Collected, GitFailure>> {
  const pinned = await findCommitFacts(needs, hubPath(needs, request.project), attemptRef(request))
  if (!pinned.ok) return pinned
  if (pinned.value === undefined) {
    const omissions = ['the working tree is gone, and nothing of it had been collected']
    return await pin(needs, request, { tip: request.base, committedForAgent: false, omissions })
  }
  const { commit, committer } = pinned.value
  const committedForAgent = commit !== request.base && committer === OWN_ADDRESS
  const omissions = ['the working tree is gone; this is what was collected from it before']
  return await pin(needs, request, { tip: commit, committedForAgent, omissions })
}

async function pin(
  needs: HubNeeds,
  request: CollectRequest,
  collected: Omit<Collected, 'commits' | 'files' | 'committedCopies'>,
  incoming?: string,
): Promise<Result<Collected, GitFailure>> {
  const hub = hubPath(needs, request.project)
  const { base } = request
  const set: RefChange = { type: 'set', ref: attemptRef(request), to: collected.tip }
  const pinned = await setHubRefs(
    needs,
    hub,
    incoming === undefined ? [set] : [set, { type: 'delete', ref: incoming }],
  )
  if (!pinned.ok) return pinned
  const [work, paths] = await Promise.all([
    findWork(needs, hub, base, collected.tip),
    findExcluded(needs, hub, request),
  ])
  if (!work.ok) return work
  if (!paths.ok) return failure(paths.failure)
  const copies = await findCommittedCopies(needs, hub, { base, tip: collected.tip, paths: paths.value })
  return copies.ok ? success({ ...collected, ...work.value, committedCopies: copies.value }) : copies
}

function attemptRef(request: CollectRequest): string {
  return `refs/muster/attempts/${request.attemptId}`
}
