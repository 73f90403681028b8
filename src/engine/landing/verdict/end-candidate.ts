import { assertNever } from '../../../domain/assert-never.ts'
import { landingQueued } from '../../../domain/event/landing-events.ts'
import type { Job } from '../../../domain/job/job.ts'
import type { Candidate } from '../../../domain/landing/candidate.ts'
import { reasonLine } from '../../../domain/task/reason-line.ts'
import type { Records } from '../../../ports/store/store.ts'
import { voidApproval } from '../../approvals/void-approvals.ts'
import { storeStop } from '../../sessions/end/stop-session.ts'
import { storeBaseOutcome } from '../candidate/follow-base.ts'
import { type CandidateChange, storeCandidate } from '../candidate/store-candidate.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { abandonedMove, landedMove, refusedMove } from './landing-moves.ts'
import { type LandingMove, storeLanding } from './store-landing.ts'

type Needs = Pick<LandingNeeds, 'clock' | 'settings'>

/** How a candidate ends. */
export type CandidateOutcome =
  /** The branch has moved to its commit. */
  | { readonly type: 'landed' }
  /** Its work is refused. `isDenied`: by a person. */
  | { readonly type: 'refused'; readonly reason: string; readonly isDenied?: true }
  /** Its commit will not land. Its work is merged again, perhaps in smaller batches. */
  | { readonly type: 'dropped'; readonly reason: string; readonly batchLimit?: number }
  /** The job ended first. */
  | { readonly type: 'abandoned'; readonly reason: string }

export const JOB_ENDED = { type: 'abandoned', reason: 'the job ended before it could land' } as const

/** Stores the end of a candidate and of its landings, base or merge. Returns false if it had ended before. */
export async function endCandidate(
  needs: Needs,
  records: Records,
  job: Job,
  { id: candidateId }: Candidate,
  outcome: CandidateOutcome,
): Promise<boolean> {
  const candidate = await storeCandidate(needs, records, candidateId, changeOf(job, outcome))
  if (candidate === undefined) return false
  if (outcome.type !== 'landed') await stopCheck(needs, records, candidate, outcome.reason)
  switch (candidate.purpose.type) {
    case 'landings':
      for (const id of candidate.purpose.landingIds) {
        await storeLanding(needs, records, id, landingMove(candidate, outcome))
      }
      return true
    case 'base':
      await endBase(records, job, candidate, candidate.purpose.commit, outcome)
      return true
    case 'merge':
      // A person sees only the candidate's own row.
      return true
    default:
      return assertNever(candidate.purpose)
  }
}

function changeOf(job: Job, outcome: CandidateOutcome): CandidateChange {
  const advance = { type: 'landing-advance', jobId: job.id } as const
  switch (outcome.type) {
    case 'landed':
      // Updates warm trees to the new head.
      return {
        event: { type: 'branch-moved' },
        follow: [advance, { type: 'trees-warm', projectId: job.projectId }],
      }
    case 'refused':
      return { event: { type: 'candidate-drop', reason: outcome.reason }, follow: [advance] }
    case 'dropped':
    case 'abandoned':
      return { event: { type: 'candidate-drop', reason: outcome.reason } }
    default:
      return assertNever(outcome)
  }
}

/** A commit that will not land needs no check and no answer from a person. */
async function stopCheck(
  needs: Needs,
  records: Records,
  { state }: Candidate,
  reason: string,
): Promise<void> {
  if (state.type === 'asking') await voidApproval(needs, records, state.approvalId, reason)
  if (state.type !== 'checking') return
  const session = await records.sessions.find(state.sessionId)
  if (session !== undefined) await storeStop(needs, records, session, { type: 'cancelled', reason })
}

function landingMove(candidate: Candidate, outcome: CandidateOutcome): LandingMove {
  switch (outcome.type) {
    case 'landed':
      return landedMove(candidate)
    case 'refused':
      return refusedMove(candidate.checks, outcome.reason, outcome.isDenied === true)
    case 'dropped':
      return {
        event: { type: 'candidate-drop' },
        notice: (landing, task) => landingQueued(landing, task, { again: outcome.reason }),
        ...(outcome.batchLimit === undefined ? {} : { batchLimit: outcome.batchLimit }),
      }
    case 'abandoned':
      return abandonedMove(outcome.reason)
    default:
      return assertNever(outcome)
  }
}

async function endBase(
  records: Records,
  job: Job,
  candidate: Candidate,
  base: string,
  outcome: CandidateOutcome,
): Promise<void> {
  switch (outcome.type) {
    case 'landed':
      return storeBaseOutcome(records, job, { commit: candidate.commit })
    case 'refused':
      return storeBaseOutcome(records, job, { commit: base, problem: reasonLine(outcome.reason) })
    case 'dropped':
      // Its commits are merged again, onto the new head.
      return records.note({
        audit: { actor: 'engine', action: 'base-again', subject: job.id, detail: {} },
        follow: [{ type: 'base-follow', jobId: job.id }],
      })
    case 'abandoned':
      return
    default:
      return assertNever(outcome)
  }
}
