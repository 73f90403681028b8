import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { BatchMerge } from '../../ports/commits.ts'
import type { Records } from '../../ports/store/store.ts'
import { describeFailure } from '../describe-failure.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { newCandidate } from './new-candidate.ts'
import { openChain } from './open-chain.ts'
import { storeBaseOutcome } from './store-base-outcome.ts'

/**
 * Brings what others have put on the base branch since into the job's branch: as a candidate without landings, which is
 * merged, checked and landed like any other. What cannot be brought in is told to the next planner.
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
    messageOf: () => `Merge ${job.baseBranch} as it has become\n\nMuster-Job: ${job.id}\n`,
  })
  if (!merged.ok) throw new Error(`the base could not be merged: ${describeFailure(merged.failure)}`)
  await needs.store.withJob(jobId, async (records, locked) => {
    const end = await endOfChain(needs, records, locked)
    // Somebody was faster; the next cycle looks again.
    if (end?.commit !== onto.commit || locked.state.type !== 'running') return
    await store(needs, records, locked, { commit, onto, merged: merged.value })
  })
}

/** Undefined when it is nowhere else than it was, or was tried and could not be brought in. */
async function findBase(needs: LandingNeeds, job: Job): Promise<string | undefined> {
  if (job.baseBranch === 'HEAD') return undefined
  const source = await needs.branches.inspectSource(job.repositoryPath)
  const base = source.ok
    ? await needs.branches.importBase(job.projectId, source.value, job.baseBranch)
    : source
  if (!base.ok) {
    needs.log.warn({ jobId: job.id, failure: base.failure.type }, 'the base branch could not be looked at')
    return undefined
  }
  const { commit } = base.value
  return commit === job.baseCommit || commit === job.movedBase?.commit ? undefined : commit
}

type ChainEnd = { readonly commit: string; readonly isHead: boolean }

async function endOfChain(
  needs: LandingNeeds,
  records: Pick<Records, 'candidates'>,
  job: Job,
): Promise<ChainEnd | undefined> {
  const chain = await openChain(records, job)
  // One at a time: a second one would only bring in what the first one does.
  if (chain.some(({ base }) => base !== undefined)) return undefined
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
  await newCandidate(needs, records, {
    job,
    branch: job.workingBranch,
    landingIds: [],
    base: commit,
    onto: onto.commit,
    merged,
  })
}
