import type { Candidate } from '../../domain/landing/candidate.ts'
import { halvedLimit } from '../../domain/landing/halved-limit.ts'
import { reasonLine } from '../../domain/task/reason-line.ts'
import { suggestionFor } from '../../domain/task/suggestion-for.ts'
import type { Records } from '../../ports/store/store.ts'
import { abandonedMove } from './abandoned-move.ts'
import { clearCheck } from './clear-check.ts'
import { stopCheck, storeDrop } from './drop-candidates.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { storeBaseOutcome } from './store-base-outcome.ts'
import { storeCandidate, withCandidate } from './store-candidate.ts'
import { type LandingMove, storeLanding } from './store-landing.ts'

type Refused = { readonly candidate: Candidate; readonly after: readonly Candidate[] }

/** A landing that failed alone, on the head as it is: it does not come in. */
export async function rejectCandidate(needs: LandingNeeds, { candidate, after }: Refused): Promise<boolean> {
  const { state } = candidate
  if (state.type !== 'failed') return false
  const { reason } = state
  const stored = await withCandidate(needs, candidate, async (records, job) => {
    if (candidate.base !== undefined) {
      await storeBaseOutcome(records, job, { commit: candidate.base, problem: reasonLine(reason) })
    }
    await storeCandidate(needs, records, candidate.id, {
      event: { type: 'candidate-drop', reason: 'refused' },
      follow: [{ type: 'landing-advance', jobId: candidate.jobId }],
    })
    for (const landingId of candidate.landingIds) {
      await storeLanding(needs, records, landingId, refusedMove(candidate.checks, reason))
    }
    await storeDrop(needs, records, after, 'what it was built on was refused')
    needs.crash.reach('landing.before-verdict')
    return true
  })
  await clearCheck(needs, candidate)
  return stored
}

/** Which of several broke it is not known: they come again in batches of half the size. */
export async function divideCandidate(needs: LandingNeeds, { candidate, after }: Refused): Promise<boolean> {
  const limit = halvedLimit(candidate.landingIds.length)
  const stored = await withCandidate(needs, candidate, async (records) => {
    await storeDrop(needs, records, [candidate], 'it failed together with others', limit)
    await storeDrop(needs, records, after, 'what it was built on failed')
    needs.crash.reach('landing.before-verdict')
    return true
  })
  await clearCheck(needs, candidate)
  return stored
}

/** What becomes of a landing, and of its task, that does not come in. */
export function refusedMove(checks: Candidate['checks'], reason: string): LandingMove {
  const failed = checks.findLast((check) => !check.passed)
  return {
    event: { type: 'landing-reject', reason: reasonLine(reason) },
    checks,
    notice: {
      type: 'landing_rejected',
      data: { ...(failed === undefined ? {} : { check: failed.command }), reason },
    },
    task: (task) => ({
      event: {
        type: 'landing-rejected',
        reason: reasonLine(reason),
        suggestion: suggestionFor({
          type: failed === undefined ? 'approval-denied' : 'check-failed',
          taskId: task.id,
        }),
      },
      notice: { type: 'task_failed', data: { status: 'failed', error: reason } },
      failure: reason,
    }),
  }
}

/** Nothing lands any more: what was to come in is given up with its job. */
export async function storeRefusal(
  needs: LandingNeeds,
  records: Records,
  candidate: Candidate,
): Promise<boolean> {
  const reason = 'the job ended before it could land'
  const isStored = await storeCandidate(needs, records, candidate.id, {
    event: { type: 'candidate-drop', reason },
  })
  await stopCheck(needs, records, candidate, reason)
  for (const landingId of candidate.landingIds) {
    await storeLanding(needs, records, landingId, abandonedMove(reason))
  }
  return isStored
}
