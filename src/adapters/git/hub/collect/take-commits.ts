import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { CollectRequest } from '../../../../ports/working-trees.ts'
import { type CommitFacts, findCommitFacts } from '../commit/commit-facts.ts'
import { countCommittedFiles } from '../history/committed-files.ts'
import { copyObjects } from '../repository/copy-objects.ts'
import { fetchIntoHub } from '../repository/fetch-objects.ts'
import { readShallow, writeGitDirectory } from '../repository/git-directory.ts'
import type { HubNeeds } from '../repository/hub-repository.ts'
import { objectFormatOf } from '../repository/object-id.ts'
import { type AgentRepository, readAgentRepository } from './agent-repository.ts'
import { compareTrees } from './compare-trees.ts'

export type TakenCommits = {
  /** The agent's own last commit, or the base. */
  readonly own: CommitFacts
  /** Why the agent's own commits are left out. Absent if they were taken. */
  readonly omission?: string
  /** A ref that keeps fetched commits until they are pinned. */
  readonly incoming?: string
  /** The files that differ between the base and the agent's own last commit, if they are few. */
  readonly files?: readonly string[]
}

const PROBLEM_LENGTH = 300
/** A few small objects can name more files than fit on any disk. */
const MOST_FILES = 2_000_000

/**
 * Brings the agent's own commits into the hub. Git never runs in the agent's repository: a git directory of our own
 * borrows the agent's objects, and every object is checked. If the agent has broken its repository, the result is the
 * base.
 */
export async function takeCommits(
  needs: HubNeeds,
  hub: string,
  request: CollectRequest,
  scratch: string,
): Promise<Result<TakenCommits, GitFailure>> {
  const read = await readAgentRepository(request.directory, join(hub, 'objects'))
  if (!read.ok) return await leaveBehind(needs, hub, request, read.failure)
  const { head, objects } = read.value
  if (head === request.base) return await leaveBehind(needs, hub, request)
  if (head.length !== request.base.length) {
    return await leaveBehind(needs, hub, request, 'the object format was changed')
  }

  const isCopied = await copyObjects(needs, {
    into: hub,
    objects,
    commit: head,
    shared: request.base,
    scratch,
  })
  const fetched: FetchedCommits = isCopied
    ? success({})
    : await fetchCommits(needs, hub, request, scratch, read.value)
  if (!fetched.ok) return fetched
  if ('problem' in fetched.value) return await leaveBehind(needs, hub, request, fetched.value.problem)
  const kept = fetched.value
  const own = await findCommitFacts(needs, hub, head)
  if (!own.ok) return own
  if (own.value === undefined) return await leaveBehind(needs, hub, request, 'HEAD is not a commit')
  const files = await changedFiles(needs, hub, request.base, own.value)
  if (files !== undefined) return success({ own: own.value, ...kept, files })
  const count = await countCommittedFiles(needs, hub, head, MOST_FILES)
  if (!count.ok) return count
  if (count.value <= MOST_FILES) return success({ own: own.value, ...kept })
  const left = await leaveBehind(needs, hub, request, `more than ${MOST_FILES} files`)
  return left.ok ? success({ ...left.value, ...kept }) : left
}

type FetchedCommits = Result<Pick<TakenCommits, 'incoming'> | { readonly problem: string }, GitFailure>

/** Fetches commits of any size. */
async function fetchCommits(
  needs: HubNeeds,
  hub: string,
  request: CollectRequest,
  scratch: string,
  { head, objects }: AgentRepository,
): Promise<FetchedCommits> {
  const quarantine = join(scratch, 'quarantine')
  await writeQuarantine(hub, quarantine, head, objects)
  const incoming = `refs/muster/incoming/${request.attemptId}`
  const from = { from: quarantine, ref: 'refs/heads/tip', shared: request.base }
  const fetched = await fetchIntoHub(needs, { into: hub, ...from, as: incoming, isChecked: true })
  if (!fetched.ok) return fetched
  return success(fetched.value.code === 0 ? { incoming } : { problem: fetched.value.stderr })
}

/** If there are few changes, the commit is not too large either, because the base could be checked out. */
async function changedFiles(
  needs: HubNeeds,
  hub: string,
  base: string,
  own: CommitFacts,
): Promise<readonly string[] | undefined> {
  const facts = await findCommitFacts(needs, hub, base)
  const tree = facts.ok ? facts.value?.tree : undefined
  return tree === undefined ? undefined : await compareTrees(needs, hub, tree, own.tree)
}

async function writeQuarantine(hub: string, path: string, head: string, objects: string): Promise<void> {
  const shallow = await readShallow(hub)
  await writeGitDirectory({
    path,
    objectFormat: objectFormatOf(head),
    refs: { 'refs/heads/tip': head },
    alternates: [join(hub, 'objects'), objects],
    ...(shallow === undefined ? {} : { shallow }),
  })
}

async function leaveBehind(
  needs: HubNeeds,
  hub: string,
  request: CollectRequest,
  reason?: string,
): Promise<Result<TakenCommits, GitFailure>> {
  const base = await findCommitFacts(needs, hub, request.base)
  if (!base.ok) return base
  if (base.value === undefined) {
    const problem = `the hub has no commit ${request.base}`
    return failure({ type: 'git-failed', command: 'git log', problem })
  }
  if (reason === undefined) return success({ own: base.value })
  const problem = reason.trim().replaceAll('\n', ' ').slice(-PROBLEM_LENGTH)
  return success({ own: base.value, omission: `the agent's own commits could not be read: ${problem}` })
}
