import { failure, type Result, success } from '../../../domain/result.ts'
import type { GitFailure, Merged, MergeFailure } from '../../../ports/hub.ts'
import { boundedTime, findCommitFacts } from './commit-facts.ts'
import { gitFailed, gitText } from './git-answer.ts'
import { makeCommit } from './make-commit.ts'
import { isObjectId } from './object-id.ts'
import type { Git, GitRun } from './run-git.ts'

export type MergeRequest = {
  readonly onto: string
  readonly tip: string
  readonly message: string
}

/** Merges without a checkout. The same three inputs always make the same commit. */
export async function mergeCommits(
  needs: { readonly git: Git },
  hub: string,
  { onto, tip, message }: MergeRequest,
): Promise<Result<Merged, MergeFailure>> {
  if (!isObjectId(onto) || !isObjectId(tip)) return failure(unmergeable(onto, tip))
  const [time, merged] = await Promise.all([
    timeIfNew(needs, hub, onto, tip),
    needs.git({ directory: hub, arguments: mergeArguments(onto, tip) }),
  ])
  if (!time.ok) return time
  if (time.value === undefined) return await asItIs(needs, hub, onto)
  if (!merged.ok) return merged

  const [tree = '', ...paths] = merged.value.stdout.toString('utf8').split('\0')
  const failed = mergeFailure(merged.value, tree, paths)
  if (failed !== undefined) return failure(failed)
  const parents = [onto, tip]
  const commit = await makeCommit(needs, hub, { tree, parents, message, time: time.value })
  return commit.ok ? success({ commit: commit.value, tree }) : commit
}

function mergeArguments(onto: string, tip: string): readonly [string, ...string[]] {
  const options = ['--write-tree', '-z', '--name-only', '--no-messages', '--allow-unrelated-histories']
  return ['merge-tree', ...options, '--end-of-options', onto, tip]
}

/** When `tip` was committed; nothing when `onto` has it already. */
async function timeIfNew(
  needs: { readonly git: Git },
  directory: string,
  onto: string,
  tip: string,
): Promise<Result<number | undefined, GitFailure>> {
  const options = ['--topo-order', '--max-count=1', '--format=%ct', '--end-of-options']
  const said = await gitText(needs.git, { directory, arguments: ['rev-list', ...options, tip, `^${onto}`] })
  if (!said.ok) return said
  const [, time] = said.value.split('\n')
  return success(time === undefined ? undefined : boundedTime(Number(time)))
}

async function asItIs(
  needs: { readonly git: Git },
  hub: string,
  onto: string,
): Promise<Result<Merged, GitFailure>> {
  const facts = await findCommitFacts(needs, hub, onto)
  if (!facts.ok) return facts
  if (facts.value === undefined) return failure(unmergeable(onto, onto))
  return success({ commit: facts.value.commit, tree: facts.value.tree })
}

/** Exit status 1 with a tree is a conflict; without one git could not even begin. */
function mergeFailure(run: GitRun, tree: string, paths: readonly string[]): MergeFailure | undefined {
  if (run.code === 0 && isObjectId(tree)) return undefined
  if (run.code !== 1 || !isObjectId(tree)) return gitFailed(run)
  return { type: 'conflict', paths: [...new Set(paths.filter((path) => path !== ''))].sort() }
}

function unmergeable(onto: string, tip: string): GitFailure {
  return { type: 'git-failed', command: 'git merge-tree', problem: `cannot merge ${tip} onto ${onto}` }
}
