import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import type { Collected, CollectRequest, UsableWork } from '../../../../ports/working-trees.ts'
import { type CommitFacts, findCommitFacts } from '../commit/commit-facts.ts'
import type { IndexPlace } from '../commit/index-entries.ts'
import { makeCommit } from '../commit/make-commit.ts'
import type { HubGit } from '../process/companions.ts'
import { gitText } from '../process/git-answer.ts'
import { type RefChange, setHubRefs } from '../repository/change-refs.ts'
import { isAncestor } from '../repository/find-ref.ts'
import { type HubNeeds, hubPath } from '../repository/hub-repository.ts'
import { isObjectId } from '../repository/object-id.ts'
import { pinOf } from '../repository/pins.ts'
import { findRefusal, makeRefusal, reasonText, refusalOf } from '../repository/refusals.ts'
import { openScratch } from '../repository/scratch.ts'
import { copyPath } from '../tree/copy-path.ts'
import { type FilledIndex, fillIndex } from './fill-index.ts'
import { findWork, type WorkRequest } from './find-work.ts'
import { allowOwner, makeReadable } from './make-readable.ts'
import type { IndexRequest } from './scratch-index.ts'
import { describeSpecial, removeSpecial, surveyTree } from './special-files.ts'
import { findSubmoduleFault } from './submodule-fault.ts'
import { type TakenCommits, takeCommits } from './take-commits.ts'

const OWN_ADDRESS = 'muster@localhost'
const MOST_EXCLUDED = 200
const NAMED_COPIES = 3

/** Pins the work of an attempt: its own commits and, in one more commit, everything that it left uncommitted. */
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
  await allowOwner(request.directory)
  await makeReadable(join(request.directory, '.git'))
  const taken = await takeCommits(needs, hub, request, scratch.path)
  if (!taken.ok) return taken
  const excluded = await findExcluded(needs, hub, request)
  if (!excluded.ok) return excluded
  const { own, omission, incoming } = taken.value
  const { directory, base, message } = request
  const cleared = await clearSpecial(needs, request, own.commit)
  if (!cleared.ok) return cleared
  const index: IndexRequest = {
    hub,
    scratch: scratch.path,
    directory,
    base,
    tip: own.commit,
    exclude: excluded.value,
    count: cleared.value.count,
    purpose: 'keep',
  }
  const filled = await fillIndex(needs, index)
  if (!filled.ok) return filled
  const { place, changed } = filled.value
  const isClean = changed.length === 0
  const tip = isClean ? success(own.commit) : await commitIndex(needs, hub, place, own, message)
  if (!tip.ok) return tip
  const refusal =
    cleared.value.refusal ??
    (await findProblem(needs, hub, scratch.path, { base, tip: tip.value, ...filled.value }))
  const omissions = [...(omission === undefined ? [] : [omission]), ...filled.value.omissions]
  return await pin(
    needs,
    request,
    {
      tip: tip.value,
      committedForAgent: !isClean,
      omissions,
      ...(refusal === undefined ? {} : { refusal }),
    },
    {
      own,
      excluded: excluded.value,
      ...filesOf(base, taken.value, changed),
      ...(incoming === undefined ? {} : { incoming }),
    },
  )
}

/**
 * Removes pipes that git would wait for. The work is refused, because whatever the agent meant by them can't be
 * collected. The refusal is stored first: after a crash, nothing else would show that they were there.
 */
async function clearSpecial(
  needs: HubNeeds,
  request: CollectRequest,
  tip: string,
): Promise<Result<{ readonly count: number; readonly refusal?: string }, GitFailure>> {
  const { special, count } = await surveyTree(request.directory)
  const found = describeSpecial(special)
  if (found === undefined) return success({ count })
  const refusal = `the agent left ${found}`
  const refused = await pinRefused(needs, request, tip, refusal, [])
  if (!refused.ok) return refused
  await removeSpecial(request.directory, special)
  return success({ count, refusal })
}

/** Why the work must not land, although it is pinned. */
async function findProblem(
  needs: HubNeeds,
  hub: string,
  scratch: string,
  { base, tip, whole, changed }: Pick<FilledIndex, 'whole' | 'changed'> & Record<'base' | 'tip', string>,
): Promise<string | undefined> {
  if (!whole.ok) return whole.failure
  const problem = await findSubmoduleFault(needs, hub, { scratch, base, tip, changed })
  return problem === undefined ? undefined : `git rejects its .gitmodules: ${problem}`
}

/** The files that differ from the base, if either the commits or the tree alone show them. */
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

/** The tree no longer exists. Returns what an earlier call has pinned, or the base if there was no earlier call. */
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
    const omissions = ['the working tree was removed before anything was collected from it']
    return await pin(needs, request, { tip: request.base, committedForAgent: false, omissions }, known)
  }
  const { commit, committer } = pinned.value
  const committedForAgent = commit !== request.base && committer === OWN_ADDRESS
  const omissions = ['the working tree was removed; this is the work that was collected from it earlier']
  return await pin(needs, request, { tip: commit, committedForAgent, omissions }, known)
}

/** The paths that may be copies. A path that the base has is not a copy, so its changes are work. */
async function findExcluded(
  needs: HubGit,
  hub: string,
  { base, exclude = [] }: CollectRequest,
): Promise<Result<readonly string[], GitFailure>> {
  const paths = [...new Set(exclude.slice(0, MOST_EXCLUDED).flatMap((given) => copyPath(given) ?? []))]
  const absent: string[] = []
  for (const path of paths) {
    const present = await isPresent(needs, hub, base, path)
    if (!present.ok) return present
    if (!present.value) absent.push(path)
  }
  return success(absent)
}

async function isPresent(
  { git, companions }: HubGit,
  hub: string,
  base: string,
  path: string,
): Promise<Result<boolean, GitFailure>> {
  const name = `${base}:${path}`
  // The question is one line, so it can't contain a path with a newline.
  const answer = path.includes('\n') ? undefined : await companions.ask(hub, 'cat-file', `info ${name}\n`)
  if (answer !== undefined) return success(answer.toString('utf8') !== `${name} missing\n`)
  const listed = await gitText(git, {
    directory: hub,
    arguments: ['ls-tree', '-z', '--name-only', '--end-of-options', base, path],
  })
  return listed.ok ? success(listed.value !== '') : listed
}

type Known = Pick<WorkRequest, 'own' | 'excluded' | 'files'> & Pick<TakenCommits, 'incoming'>

type Gathered = Pick<UsableWork, 'tip' | 'committedForAgent' | 'omissions'> & {
  /** Why the work must not land, if that is already known. */
  readonly refusal?: string
}

async function pin(
  needs: HubNeeds,
  request: CollectRequest,
  { refusal, ...gathered }: Gathered,
  { incoming, ...known }: Known,
): Promise<Result<Collected, GitFailure>> {
  const hub = hubPath(needs, request.project)
  const { tip } = gathered
  const reason = refusal === undefined ? await findEarlierRefusal(needs, hub, request, tip) : success(refusal)
  if (!reason.ok) return reason
  const done = incoming === undefined ? [] : [{ type: 'delete', ref: incoming } as const]
  if (reason.value !== undefined) return await pinRefused(needs, request, tip, reason.value, done)
  const pinned = await setHubRefs(needs, hub, [{ type: 'set', ref: attemptRef(request), to: tip }, ...done])
  if (!pinned.ok) return pinned
  const work = await findWork(needs, hub, { base: request.base, tip, ...known })
  if (!work.ok) return work
  const { committedCopies, ...found } = work.value
  if (committedCopies.length === 0) return success({ type: 'usable', ...gathered, ...found })
  return await pinRefused(needs, request, tip, describeCopies(committedCopies), [])
}

/** A tree that was opened from refused work looks complete, and its commits say what was refused. It stays refused. */
async function findEarlierRefusal(
  needs: HubNeeds,
  hub: string,
  { attemptId }: CollectRequest,
  tip: string,
): Promise<Result<string | undefined, GitFailure>> {
  const earlier = await findRefusal(needs, hub, attemptId)
  if (!earlier.ok || earlier.value === undefined) return earlier.ok ? success(undefined) : earlier
  const { commit, reason } = earlier.value
  const isPart = commit === tip || (await isAncestor(needs, hub, commit, tip))
  return success(isPart ? reason : undefined)
}

/** The pin and the reason are stored together, so that no one can find the work without the reason. */
async function pinRefused(
  needs: HubNeeds,
  request: CollectRequest,
  tip: string,
  problem: string,
  changes: readonly Extract<RefChange, { type: 'delete' }>[],
): Promise<Result<Collected, GitFailure>> {
  const hub = hubPath(needs, request.project)
  const reason = reasonText(problem)
  const refusal = await makeRefusal(needs, hub, request.attemptId, { commit: tip, reason })
  if (!refusal.ok) return refusal
  const pinned = await setHubRefs(needs, hub, [
    { type: 'set', ref: attemptRef(request), to: tip },
    { type: 'set', ref: refusalOf(request.attemptId), to: refusal.value },
    ...changes,
  ])
  return pinned.ok ? success({ type: 'refused', tip, reason }) : pinned
}

function describeCopies(copies: readonly string[]): string {
  const more = copies.length > NAMED_COPIES ? ` and ${copies.length - NAMED_COPIES} more` : ''
  const named = copies.slice(0, NAMED_COPIES).join(', ')
  return `the agent committed ${named}${more}, which Muster copied into its tree and which must not be published`
}

function attemptRef(request: CollectRequest): string {
  return pinOf(request.attemptId)
}
