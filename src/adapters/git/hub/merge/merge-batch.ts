import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { BatchMerge, BatchRequest } from '../../../../ports/commits.ts'
import { type CommitFacts, findCommitFacts } from '../commit/commit-facts.ts'
import { makeCommit } from '../commit/make-commit.ts'
import type { HubGit } from '../process/companions.ts'
import { isObjectId } from '../repository/object-id.ts'
import { hasSamePatches } from './has-same-patches.ts'
import { mergeTrees } from './merge-trees.ts'

/** The state of the batch after some of its tips. */
type Progress = Pick<BatchMerge, 'tree' | 'conflicts' | 'contained'> & {
  readonly merged: readonly CommitFacts[]
  /** One commit with everything so far, for the next tip to be merged with. */
  readonly commit: string | undefined
}

/** Merges without a checkout. The same request always makes the same commit. */
export async function mergeBatch(
  needs: HubGit,
  hub: string,
  request: BatchRequest,
): Promise<Result<BatchMerge, GitFailure>> {
  const facts = await readFacts(needs, hub, request)
  if (!facts.ok) return facts
  const [onto, ...tips] = facts.value
  if (onto === undefined) return unmergeable(request.onto)

  let progress: Progress = { tree: onto.tree, merged: [], conflicts: [], contained: [], commit: onto.commit }
  for (const tip of tips) {
    const next = await addTip(needs, hub, onto, progress, tip)
    if (!next.ok) return next
    progress = next.value
  }
  const { tree, conflicts, contained } = progress
  const merged = progress.merged.map(({ commit }) => commit)
  const commit =
    merged.length === 0
      ? success(onto.commit)
      : await commitProgress(needs, hub, onto, progress, request.messageOf(merged))
  return commit.ok ? success({ commit: commit.value, tree, merged, conflicts, contained }) : commit
}

async function readFacts(
  needs: HubGit,
  hub: string,
  request: BatchRequest,
): Promise<Result<readonly CommitFacts[], GitFailure>> {
  const all: CommitFacts[] = []
  for (const commit of [request.onto, ...request.tips]) {
    const facts = isObjectId(commit) ? await findCommitFacts(needs, hub, commit) : success(undefined)
    if (!facts.ok) return facts
    if (facts.value === undefined) return unmergeable(commit)
    all.push(facts.value)
  }
  return success(all)
}

async function addTip(
  needs: HubGit,
  hub: string,
  onto: CommitFacts,
  before: Progress,
  tip: CommitFacts,
): Promise<Result<Progress, GitFailure>> {
  const at =
    before.commit === undefined
      ? await commitProgress(needs, hub, onto, before, 'batch so far')
      : success(before.commit)
  if (!at.ok) return at
  const progress: Progress = { ...before, commit: at.value }
  const merged = await mergeTrees(needs, hub, at.value, tip.commit)
  if (!merged.ok) return merged
  if (merged.value.type === 'conflict') {
    if (await hasSamePatches(needs, hub, at.value, tip)) return success(containing(progress, tip))
    const conflict = { tip: tip.commit, paths: merged.value.paths }
    return success({ ...progress, conflicts: [...progress.conflicts, conflict] })
  }
  // A merge that changes nothing means that the tip is contained. That covers every ancestor.
  if (merged.value.tree === progress.tree) return success(containing(progress, tip))
  return success({
    ...progress,
    tree: merged.value.tree,
    merged: [...progress.merged, tip],
    commit: undefined,
  })
}

function containing(progress: Progress, tip: CommitFacts): Progress {
  return { ...progress, contained: [...progress.contained, tip.commit] }
}

async function commitProgress(
  needs: HubGit,
  hub: string,
  onto: CommitFacts,
  { tree, merged }: Progress,
  message: string,
): Promise<Result<string, GitFailure>> {
  const parents = [onto.commit, ...merged.map(({ commit }) => commit)]
  const time = Math.max(...merged.map((tip) => tip.time))
  return await makeCommit(needs, hub, { tree, parents, message, time })
}

function unmergeable(commit: string): Result<never, GitFailure> {
  return failure({ type: 'git-failed', command: 'git merge-tree', problem: `cannot merge ${commit}` })
}
