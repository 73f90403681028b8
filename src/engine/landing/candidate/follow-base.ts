import { baseLanded, baseRejected } from '../../../domain/event/landing-events.ts'
import type { JobId } from '../../../domain/id.ts'
import { DETACHED, type Job } from '../../../domain/job/job.ts'
import type { BatchMerge } from '../../../ports/commits.ts'
import type { Change } from '../../../ports/store/change.ts'
import type { Records } from '../../../ports/store/store.ts'
import { describeFailure } from '../../describe-failure.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { importBranch } from '../merge/import-branch.ts'
import { openChain } from '../queue/load-queue.ts'
import { insertCandidate } from './store-candidate.ts'

/**
 * Merges new commits of the base branch into the job's branch, as a candidate that is checked and landed like any
 * other. The next planner is told if that was not possible.
 */
export async function followBase(needs: LandingNeeds, jobId: JobId): Promise<void> {
  const job = await needs.store.read.jobs.find(jobId)
  if (job === undefined || job.state.type !== 'running') return
  const commit = await findBase(needs, job)
  const onto = commit === undefined ? undefined : await endOfChain(needs, needs.store.read, job)
  if (commit === undefined || onto === undefined) return
  if (await needs.history.isAncestor(job.projectId, commit, onto.commit)) return
  const merged = await needs.commits.mergeBatch(job.projectId, {
    onto: onto.commit,
    tips: [commit],
    messageOf: () => `Merge ${job.baseBranch} into ${job.workingBranch}\n\nMuster-Job: ${job.id}\n`,
  })
  if (!merged.ok) throw new Error(`the base branch could not be merged: ${describeFailure(merged.failure)}`)
  const hasMoved = await needs.store.withJob(jobId, async (records, locked) => {
    const end = await endOfChain(needs, records, locked)
    if (end === undefined || locked.state.type !== 'running') return false
    if (end.commit !== onto.commit) return true
    await store(needs, records, locked, { commit, onto, merged: merged.value })
    return false
  })
  // Another candidate was built or landed meanwhile, so the base must be merged onto that one.
  if (hasMoved === true) await followBase(needs, jobId)
}

/**
 * The new commit of the base branch; undefined if the branch has not moved, or merging this commit has failed before.
 */
async function findBase(needs: LandingNeeds, job: Job): Promise<string | undefined> {
  if (job.baseBranch === DETACHED) return undefined
  const base = await importBranch(needs, job, job.baseBranch)
  if (!base.ok) {
    needs.log.warn({ jobId: job.id, failure: base.failure.type }, 'the base branch could not be read')
    return undefined
  }
  const commit = base.value
  return commit === job.baseCommit || commit === job.movedBase?.commit ? undefined : commit
}

type ChainEnd = { readonly commit: string; readonly isHead: boolean }

async function endOfChain(
  needs: LandingNeeds,
  records: Pick<Records, 'candidates'>,
  job: Job,
): Promise<ChainEnd | undefined> {
  const chain = await openChain(records, job)
  // One at a time: a second candidate would only contain the same commits.
  if (chain.some(({ purpose }) => purpose.type === 'base')) return undefined
  const last = chain.at(-1)
  if (last !== undefined) return { commit: last.commit, isHead: false }
  const head = await needs.branches.tip(job.projectId, job.workingBranch)
  return head === undefined ? undefined : { commit: head, isHead: true }
}

type Followed = { readonly commit: string; readonly onto: ChainEnd; readonly merged: BatchMerge }

async function store(
  needs: LandingNeeds,
  records: Records,
  job: Job,
  { commit, onto, merged }: Followed,
): Promise<void> {
  const [conflict] = merged.conflicts
  if (conflict !== undefined && onto.isHead) {
    const problem = `it conflicts with the job's own work in ${conflict.paths.join(', ')}`
    return storeBaseOutcome(records, job, { commit, problem })
  }
  if (merged.merged.length === 0) return
  await insertCandidate(needs, records, {
    job,
    purpose: { type: 'base', commit },
    onto: onto.commit,
    merged,
  })
}

export type BaseOutcome = {
  /** The commit of the base branch, or the commit that merged it. */
  readonly commit: string
  /** Why it could not be merged; absent if it was. */
  readonly problem?: string
}

/** Stores whether the moved base branch was merged. The next planner gets the problem if it was not. */
export async function storeBaseOutcome(
  records: Records,
  job: Job,
  { commit, problem }: BaseOutcome,
): Promise<void> {
  const { movedBase, ...rest } = job
  const change: Change = {
    audit: {
      actor: 'engine',
      action: 'base-follow',
      subject: job.id,
      detail: { isIn: problem === undefined },
    },
    events: [problem === undefined ? baseLanded(job, commit) : baseRejected(job, commit, problem)],
    // A job that is pausing or ending waits for this.
    follow: [{ type: 'job-advance', jobId: job.id }],
  }
  if (problem !== undefined) await records.jobs.save({ ...rest, movedBase: { commit, problem } }, change)
  else if (movedBase !== undefined) await records.jobs.save(rest, change)
  else await records.note(change)
}
