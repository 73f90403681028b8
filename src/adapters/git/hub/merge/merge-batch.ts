import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { BatchMerge, BatchRequest } from '../../../../ports/commits.ts'
import { type CommitFacts, findCommitFacts } from '../commit/commit-facts.ts'
import { makeCommit } from '../commit/make-commit.ts'
import type { HubGit } from '../process/companions.ts'
import { isObjectId } from '../repository/object-id.ts'
import { hasSamePatches } from './has-same-patches.ts'
import { mergeTrees } from './merge-trees.ts'

/** Where the batch stands after some of its tips. */
type Standing = Pick<BatchMerge, 'tree' | 'conflicts' | 'contained'> & {
  readonly merged: readonly CommitFacts[]
  /** All of it in one commit, for the next tip to be merged with. */
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

  let standing: Standing = { tree: onto.tree, merged: [], conflicts: [], contained: [], commit: onto.commit }
  for (const tip of tips) {
    const next = await addTip(needs, hub, onto, standing, tip)
    if (!next.ok) return next
    standing = next.value
  }
  const { tree, conflicts, contained } = standing
  const merged = standing.merged.map(({ commit }) => commit)
  const commit =
    merged.length === 0
      ? success(onto.commit)
      : await commitStanding(needs, hub, onto, standing, request.messageOf(merged))
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
  before: Standing,
  tip: CommitFacts,
): Promise<Result<Standing, GitFailure>> {
  const at =
    before.commit === undefined
      ? await commitStanding(needs, hub, onto, before, 'before the next')
      : success(before.commit)
  if (!at.ok) return at
  const standing: Standing = { ...before, commit: at.value }
  const merged = await mergeTrees(needs, hub, at.value, tip.commit)
  if (!merged.ok) return merged
  if (merged.value.type === 'conflict') {
    if (await hasSamePatches(needs, hub, at.value, tip)) return success(containing(standing, tip))
    const conflict = { tip: tip.commit, paths: merged.value.paths }
    return success({ ...standing, conflicts: [...standing.conflicts, conflict] })
  }
  // So it is with every ancestor too.
  if (merged.value.tree === standing.tree) return success(containing(standing, tip))
  return success({
    ...standing,
    tree: merged.value.tree,
    merged: [...standing.merged, tip],
    commit: undefined,
  })
}

function containing(standing: Standing, tip: CommitFacts): Standing {
  return { ...standing, contained: [...standing.contained, tip.commit] }
}

async function commitStanding(
  needs: HubGit,
  hub: string,
  onto: CommitFacts,
  { tree, merged }: Standing,
  message: string,
): Promise<Result<string, GitFailure>> {
  const parents = [onto.commit, ...merged.map(({ commit }) => commit)]
  const time = Math.max(...merged.map((tip) => tip.time))
  return await makeCommit(needs, hub, { tree, parents, message, time })
}

function unmergeable(commit: string): Result<never, GitFailure> {
  return failure({ type: 'git-failed', command: 'git merge-tree', problem: `cannot merge ${commit}` })
}
