import type { CandidateId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import { isCandidateOver } from '../../domain/landing/candidate-state.ts'
import { type CandidateEvent, nextCandidateState } from '../../domain/landing/next-candidate-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { LandingNeeds } from './landing-needs.ts'

/**
 * Runs `work` under the job's lock with the candidate as it was seen; false when it has moved on meanwhile, or when
 * `work` found that there was nothing to do.
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

/** Stores one move of a candidate in an open transaction. */
export async function storeCandidate(
  needs: Pick<LandingNeeds, 'clock'>,
  records: Records,
  candidateId: CandidateId,
  { event, checks, follow = [] }: CandidateChange,
): Promise<boolean> {
  const candidate = await records.candidates.find(candidateId)
  const state = candidate === undefined ? undefined : nextCandidateState(candidate.state, event)
  if (candidate === undefined || state?.ok !== true) return false
  await records.candidates.save(
    {
      ...candidate,
      state: state.value,
      checks: checks ?? candidate.checks,
      ...(isCandidateOver(state.value) ? { endedAt: needs.clock.now() } : {}),
    },
    {
      audit: { actor: 'engine', action: event.type, subject: candidate.id, detail: {} },
      follow,
    },
  )
  return true
}
