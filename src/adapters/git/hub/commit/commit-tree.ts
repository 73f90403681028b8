import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result } from '../../../../domain/result.ts'
import type { TreeRequest } from '../../../../ports/commits.ts'
import type { HubGit } from '../process/companions.ts'
import { findCommitFacts } from './commit-facts.ts'
import { makeCommit } from './make-commit.ts'

/** Commits the files of a commit on top of others. The same request always makes the same commit. */
export async function commitTree(
  needs: HubGit,
  hub: string,
  { from, parents, message }: TreeRequest,
): Promise<Result<string, GitFailure>> {
  const facts = await Promise.all([from, ...parents].map((commit) => findCommitFacts(needs, hub, commit)))
  const times: number[] = []
  let tree: string | undefined
  for (const one of facts) {
    if (!one.ok) return one
    if (one.value === undefined)
      return failure({
        type: 'git-failed',
        command: 'git commit-tree',
        problem: 'the hub lacks one of the commits',
      })
    tree ??= one.value.tree
    times.push(one.value.time)
  }
  return await makeCommit(needs, hub, { tree: tree ?? '', parents, message, time: Math.max(...times) + 1 })
}
