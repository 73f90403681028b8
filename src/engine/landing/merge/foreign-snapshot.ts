import type { Job } from '../../../domain/job/job.ts'
import type { LandingNeeds } from '../landing-needs.ts'

/** The work contains a person's uncommitted changes, and the branch that would get it doesn't. */
export type UncommittedIncluded = {
  readonly type: 'uncommitted-included'
  readonly jobId: string
  readonly baseBranch: string
  readonly fileCount: number
}

/**
 * Whether a job's work would bring uncommitted changes, which it started from, into a branch that lacks them. Once the
 * person has committed the same changes, in whatever commits, the branch has them and nothing is in the way.
 */
export async function findForeignSnapshot(
  { history, commits }: Pick<LandingNeeds, 'history' | 'commits'>,
  { id, projectId, baseBranch, baseCommit, plan: { snapshot } }: Job,
  onto: string,
): Promise<UncommittedIncluded | undefined> {
  if (snapshot === undefined) return undefined
  const included = {
    type: 'uncommitted-included',
    jobId: id,
    baseBranch,
    fileCount: snapshot.fileCount,
  } as const
  if (await history.isAncestor(projectId, baseCommit, onto)) return undefined
  const merged = await commits.mergeBatch(projectId, { onto, tips: [baseCommit], messageOf: () => 'Compare' })
  if (!merged.ok || merged.value.conflicts.length > 0) return included
  return merged.value.tree === (await history.treeOf(projectId, onto)) ? undefined : included
}
