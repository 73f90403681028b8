import { firstCheck } from '../../../domain/check/check-progress.ts'
import type { CandidateId } from '../../../domain/id.ts'
import type { Job } from '../../../domain/job/job.ts'
import { type Candidate, type CandidatePurpose, landingIdsOf } from '../../../domain/landing/candidate.ts'
import { type CandidateState, isCandidateFinished } from '../../../domain/landing/candidate-state.ts'
import { type CandidateEvent, nextCandidateState } from '../../../domain/landing/next-candidate-state.ts'
import type { BatchMerge } from '../../../ports/commits.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { Work } from '../../../ports/work-queue.ts'
import { newCheck, ofCandidate } from '../../sessions/create/new-check.ts'
import type { LandingNeeds } from '../landing-needs.ts'

export type NewCandidate = {
  readonly job: Job
  readonly purpose: CandidatePurpose
  readonly onto: string
  readonly merged: Pick<BatchMerge, 'commit' | 'tree'>
}

/** Stores a candidate with its first check. If no checks are configured, the candidate passes at once. */
export async function insertCandidate(
  needs: Pick<LandingNeeds, 'clock' | 'ids' | 'wakeAt'>,
  records: Records,
  { job, purpose, onto, merged }: NewCandidate,
): Promise<Candidate> {
  const built = {
    id: needs.ids.next('candidate'),
    jobId: job.id,
    branch: purpose.type === 'merge' ? job.baseBranch : job.workingBranch,
    purpose,
    onto,
    commit: merged.commit,
    tree: merged.tree,
    checks: [],
    version: 1,
    createdAt: needs.clock.now(),
  }
  const command = job.plan.checks[0]
  const check =
    command === undefined
      ? undefined
      : newCheck(needs, ofCandidate(built), { index: 0, command, isFresh: true })
  const state: CandidateState =
    check === undefined ? { type: 'passed' } : { type: 'checking', ...firstCheck(check.session.id) }
  const candidate: Candidate = { ...built, state }
  await records.candidates.insert(candidate, {
    audit: {
      actor: 'engine',
      action: 'candidate-build',
      subject: candidate.id,
      detail: { purpose: purpose.type, landings: landingIdsOf(candidate).length, tree: merged.tree },
    },
    follow: check === undefined ? [{ type: 'landing-advance', jobId: job.id }] : [],
  })
  await check?.insert(records)
  return candidate
}

/**
 * Runs `work` under the job's lock. Returns false if the candidate has changed since it was read, or if `work` found
 * nothing to do.
 */
export async function withCandidate(
  needs: Pick<LandingNeeds, 'store'>,
  seen: Candidate,
  work: (records: Records, job: Job) => Promise<boolean>,
): Promise<boolean> {
  const done = await needs.store.withJob(seen.jobId, async (records, job) => {
    const current = await records.candidates.find(seen.id)
    return current?.version === seen.version && (await work(records, job))
  })
  return done ?? false
}

export type CandidateChange = {
  readonly event: CandidateEvent
  readonly checks?: Candidate['checks']
  readonly follow?: readonly Work[]
}

/**
 * Stores one change of a candidate's state in an open transaction. Returns the candidate as it was just before,
 * because the caller may have read it long ago; undefined if the change is no longer legal.
 */
export async function storeCandidate(
  needs: Pick<LandingNeeds, 'clock'>,
  records: Records,
  candidateId: CandidateId,
  { event, checks, follow = [] }: CandidateChange,
): Promise<Candidate | undefined> {
  const candidate = await records.candidates.find(candidateId)
  const state = candidate === undefined ? undefined : nextCandidateState(candidate.state, event)
  if (candidate === undefined || state?.ok !== true) return undefined
  await records.candidates.save(
    {
      ...candidate,
      state: state.value,
      checks: checks ?? candidate.checks,
      ...(isCandidateFinished(state.value) ? { endedAt: needs.clock.now() } : {}),
    },
    {
      audit: { actor: 'engine', action: event.type, subject: candidate.id, detail: {} },
      follow,
    },
  )
  return candidate
}

/** A pausing job must be advanced when its queue has stopped; any other job is advanced by the end of a landing. */
export function whenPausing({ id: jobId, state }: Job): readonly Work[] {
  return state.type === 'running' && state.pausing ? [{ type: 'job-advance', jobId }] : []
}
