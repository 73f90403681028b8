import type { JobId } from '../../domain/id.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { Records } from '../../ports/store/store.ts'
import { voidApproval } from '../approvals/void-approvals.ts'
import { storeStop } from '../sessions/stop-session.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { storeCandidate } from './store-candidate.ts'
import { storeLanding } from './store-landing.ts'

/** Gives candidates up whose commits will not become the head; their landings wait for the next ones. */
export async function dropCandidates(
  needs: LandingNeeds,
  jobId: JobId,
  candidates: readonly Candidate[],
  reason: string,
): Promise<boolean> {
  const dropped = await needs.store.withJob(jobId, (records) => storeDrop(needs, records, candidates, reason))
  return dropped ?? false
}

/** The same in an open transaction; true when any of them was still open. */
export async function storeDrop(
  needs: Pick<LandingNeeds, 'clock' | 'settings'>,
  records: Records,
  candidates: readonly Candidate[],
  reason: string,
  batchLimit?: number,
): Promise<boolean> {
  let isChanged = false
  for (const candidate of candidates) {
    const isStored = await storeCandidate(needs, records, candidate.id, {
      event: { type: 'candidate-drop', reason },
    })
    if (!isStored) continue
    isChanged = true
    await stopCheck(needs, records, candidate, reason)
    for (const landingId of candidate.landingIds) {
      await storeLanding(needs, records, landingId, {
        event: { type: 'candidate-drop' },
        notice: { type: 'landing_queued', data: { again: reason } },
        ...(batchLimit === undefined ? {} : { batchLimit }),
      })
    }
  }
  return isChanged
}

/** What was asked or checked about a commit that will not land is of no more use. */
export async function stopCheck(
  needs: Pick<LandingNeeds, 'clock' | 'settings'>,
  records: Records,
  { state }: Candidate,
  reason: string,
): Promise<void> {
  if (state.type === 'asking') await voidApproval(needs, records, state.approvalId, reason)
  if (state.type !== 'checking') return
  const session = await records.sessions.find(state.sessionId)
  if (session !== undefined) await storeStop(needs, records, session, { type: 'cancelled', reason })
}
