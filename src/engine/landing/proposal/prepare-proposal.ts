import type { JobId } from '../../../domain/id.ts'
import { DETACHED, type Job } from '../../../domain/job/job.ts'
import { isJobFinished } from '../../../domain/job/job-state.ts'
import type { GitFailure } from '../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { findForeignSnapshot, type UncommittedIncluded } from '../merge/foreign-snapshot.ts'
import { importBranch } from '../merge/import-branch.ts'
import { leaveTaskList } from '../merge/leave-own-commits.ts'
import { hasTaskList } from '../merge/leave-task-list.ts'
import { describeMergeFailure } from '../merge/merge.ts'
import type { MergeOptions } from '../merge/prepared-merge.ts'

/** A job's work as it can be proposed to others. A person pushes it with their own git; the daemon pushes nothing. */
export type Proposal = {
  readonly job: Job
  /** The commit to push. */
  readonly commit: string
  /** Where the person's git finds the commit and everything it needs. */
  readonly objectsPath: string
  /** Whether the commit still has the task list, which is taken off before a push. */
  readonly hasTaskList: boolean
  readonly warnings: readonly string[]
}

export type ProposalFailure =
  | { readonly type: 'job-not-found'; readonly jobId: string }
  | { readonly type: 'nothing-landed'; readonly jobId: string; readonly hasEnded: boolean }
  | UncommittedIncluded
  | GitFailure

type ReadNeeds = Pick<LandingNeeds, 'store' | 'branches' | 'history'>
type Needs = ReadNeeds & Pick<LandingNeeds, 'commits'>

/** What could be proposed now. Changes nothing, so the commit may still have the task list. */
export async function readProposal(needs: ReadNeeds, job: Job): Promise<Result<Proposal, ProposalFailure>> {
  const { store, branches } = needs
  const landings = await store.read.landings.listOfJob(job.id)
  const commit = await branches.tip(job.projectId, job.workingBranch)
  if (commit === undefined || !landings.some(({ state }) => state.type === 'landed'))
    return failure({ type: 'nothing-landed', jobId: job.id, hasEnded: isJobFinished(job.state) })
  const warnings = [
    ...(isJobFinished(job.state)
      ? []
      : [`the job is ${job.state.type}: only work that has landed so far is included`]),
    ...(job.plan.snapshot === undefined
      ? []
      : ['the work contains the uncommitted changes that the job started from']),
  ]
  return success({
    job,
    commit,
    objectsPath: branches.objectsPath(job.projectId),
    hasTaskList: await hasTaskList(needs, job, startOf(job), commit),
    warnings,
  })
}

/**
 * Prepares what the person pushes. The task list is taken off the working branch first, as for a merge, so that a later
 * push of the same branch is a fast-forward. Safe to repeat.
 */
export async function prepareProposal(
  needs: Needs,
  jobId: JobId,
  { withTaskList = false, withUncommitted = false }: MergeOptions = {},
): Promise<Result<Proposal, ProposalFailure>> {
  const job = await needs.store.read.jobs.find(jobId)
  if (job === undefined) return failure({ type: 'job-not-found', jobId })
  const proposal = await readProposal(needs, job)
  if (!proposal.ok) return proposal
  const { commit: head, warnings } = proposal.value
  const base = await baseOf(needs, job)
  const foreign = withUncommitted ? undefined : await findForeignSnapshot(needs, job, base)
  if (foreign !== undefined) return failure(foreign)
  const left = withTaskList ? success(head) : await leaveTaskList(needs, job, base, head)
  if (!left.ok) return left
  const commit = left.value
  const audit = { actor: 'person', action: 'job-propose', subject: job.id, detail: { commit } } as const
  await needs.store.transact((records) => records.note({ audit }))
  return success({
    ...proposal.value,
    commit,
    hasTaskList: withTaskList && proposal.value.hasTaskList,
    warnings: [...warnings, ...(await deliver(needs, job))],
  })
}

/** The base branch as it is now, or where the job started if the branch is gone. */
async function baseOf(needs: Pick<Needs, 'branches'>, job: Job): Promise<string> {
  if (job.baseBranch === DETACHED) return startOf(job)
  const base = await importBranch(needs, job, job.baseBranch)
  return base.ok ? base.value : startOf(job)
}

function startOf(job: Job): string {
  return job.plan.snapshot?.head ?? job.baseCommit
}

/** The person's own copy of the branch follows, so that it is what others see. If it can't, that is no obstacle. */
async function deliver({ branches }: Pick<Needs, 'branches'>, job: Job): Promise<readonly string[]> {
  const brought = await branches.deliver(job.projectId, job.repositoryPath, job.workingBranch)
  if (brought.ok) return []
  return [`${job.workingBranch} in your repository was not updated: ${describeMergeFailure(brought.failure)}`]
}
