import { lstat } from 'node:fs/promises'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { Collected, CollectRequest } from '../../../../ports/working-trees.ts'
import { type CommitFacts, findCommitFacts } from '../commit/commit-facts.ts'
import type { IndexPlace } from '../commit/index-entries.ts'
import { makeCommit } from '../commit/make-commit.ts'
import { gitText } from '../process/git-answer.ts'
import { ignoreCodes } from '../process/system-error.ts'
import { setHubRefs } from '../repository/change-refs.ts'
import { type HubNeeds, hubPath } from '../repository/hub-repository.ts'
import { isObjectId } from '../repository/object-id.ts'
import { openScratch } from '../repository/scratch.ts'
import { fillIndex, type IndexRequest } from './fill-index.ts'
import { findExcluded } from './find-excluded.ts'
import { findWork, type WorkRequest } from './find-work.ts'
import { type TakenCommits, takeCommits } from './take-commits.ts'

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
  const excluded = await findExcluded(needs, hub, request)
  if (!excluded.ok) return excluded
  const { own, omission, incoming } = taken.value
  const { directory, base, message } = request
  const index: IndexRequest = {
    hub,
    scratch: scratch.path,
    directory,
    base,
    tip: own.commit,
    exclude: excluded.value,
    purpose: 'keep',
  }
  const filled = await fillIndex(needs, index)
  if (!filled.ok) return filled
  const { place, changed } = filled.value
  const isClean = changed.length === 0
  const tip = isClean ? success(own.commit) : await commitIndex(needs, hub, place, own, message)
  if (!tip.ok) return tip
  const omissions = [...(omission === undefined ? [] : [omission]), ...filled.value.omissions]
  return await pin(
    needs,
    request,
    { tip: tip.value, committedForAgent: !isClean, omissions },
    {
      own,
      excluded: excluded.value,
      ...filesOf(base, taken.value, changed),
      ...(incoming === undefined ? {} : { incoming }),
    },
  )
}

/** Of the files that differ from the base, those that are known: from the commits alone, or from the tree alone. */
function filesOf(
  base: string,
  { own, files }: TakenCommits,
  changed: readonly string[],
): Pick<WorkRequest, 'files'> {
  if (own.commit === base) return { files: changed }
  return changed.length === 0 && files !== undefined ? { files } : {}
}

async function commitIndex(
  needs: HubNeeds,
  hub: string,
  place: IndexPlace,
  own: CommitFacts,
  message: string,
): Promise<Result<string, GitFailure>> {
  const tree = await gitText(needs.git, { ...place, arguments: ['write-tree'] })
  if (!tree.ok) return tree
  return await makeCommit(needs, hub, { tree: tree.value, parents: [own.commit], message, time: own.time })
}

/** The tree is gone: what an earlier call has pinned is all there is, or else nothing was done. */
async function collectAbsent(
  needs: HubNeeds,
  request: CollectRequest,
): Promise<Result<Collected, GitFailure>> {
  const hub = hubPath(needs, request.project)
  const pinned = await findCommitFacts(needs, hub, attemptRef(request))
  if (!pinned.ok) return pinned
  const excluded = await findExcluded(needs, hub, request)
  if (!excluded.ok) return excluded
  const known = { excluded: excluded.value }
  if (pinned.value === undefined) {
    const omissions = ['the working tree is gone, and nothing of it had been collected']
    return await pin(needs, request, { tip: request.base, committedForAgent: false, omissions }, known)
  }
  const { commit, committer } = pinned.value
  const committedForAgent = commit !== request.base && committer === OWN_ADDRESS
  const omissions = ['the working tree is gone; this is what was collected from it before']
  return await pin(needs, request, { tip: commit, committedForAgent, omissions }, known)
}

type Known = Pick<WorkRequest, 'own' | 'excluded' | 'files'> & Pick<TakenCommits, 'incoming'>

async function pin(
  needs: HubNeeds,
  request: CollectRequest,
  collected: Omit<Collected, 'commits' | 'files' | 'committedCopies'>,
  { incoming, ...known }: Known,
): Promise<Result<Collected, GitFailure>> {
  const hub = hubPath(needs, request.project)
  const { tip } = collected
  const pinned = await setHubRefs(needs, hub, [
    { type: 'set', ref: attemptRef(request), to: tip },
    ...(incoming === undefined ? [] : [{ type: 'delete', ref: incoming } as const]),
  ])
  if (!pinned.ok) return pinned
  const work = await findWork(needs, hub, { base: request.base, tip, ...known })
  return work.ok ? success({ ...collected, ...work.value }) : work
}

function attemptRef(request: CollectRequest): string {
  return `refs/muster/attempts/${request.attemptId}`
}
