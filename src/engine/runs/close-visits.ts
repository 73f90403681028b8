import type { Job } from '../../domain/job/job.ts'
import { nextVisitState } from '../../domain/run/next-visit-state.ts'
import type { Run } from '../../domain/run/run.ts'
import { isVisitOpen, type Visit } from '../../domain/run/visit.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Records } from '../../ports/store/store.ts'
import { voidApproval } from '../approvals/void-approvals.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeStop } from '../sessions/end/stop-session.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'settings'>

/** Cancels the open visits of a run, and withdraws what they ask a person. Their programs are left to the caller. */
export async function closeVisits(
  needs: Pick<Needs, 'clock'>,
  records: Records,
  run: Run,
  reason: string,
): Promise<void> {
  for (const visit of await records.visits.listOfRun(run.id)) {
    const state = nextVisitState(visit.state, { type: 'visit-cancel' })
    if (!state.ok) continue
    if (visit.state.type === 'asking') await voidApproval(needs, records, visit.state.approvalId, reason)
    await records.visits.save(
      { ...visit, state: state.value, endedAt: needs.clock.now() },
      { audit: { actor: 'engine', action: 'visit-cancel', subject: visit.id, detail: {} } },
    )
  }
}

/** Stops the programs of a run's open visits. The work of an agent is pinned as its attempt ends. */
export async function stopVisits(
  needs: Needs,
  records: Records,
  job: Job,
  visits: readonly Visit[],
  reason: string,
): Promise<void> {
  const open = visits.filter(isVisitOpen)
  for (const session of await records.sessions.listLive(job.id)) {
    if (!open.some((visit) => worksOn(session, visit))) continue
    await storeStop(needs, records, session, { type: 'cancelled', reason })
  }
}

/** Whether a program was started for this visit. */
export function worksOn({ purpose }: Session, visit: Visit): boolean {
  if (purpose.type === 'visit-check') return purpose.visitId === visit.id
  return purpose.type === 'attempt' && purpose.attemptId === visit.attemptId
}
