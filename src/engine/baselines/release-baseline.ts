import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeStop } from '../sessions/end/stop-session.ts'

/** Stops the check of a base that only this job, which ends, was waiting for. */
export async function releaseBaseline(
  needs: Pick<EngineNeeds, 'clock' | 'settings'>,
  records: Records,
  { id, base }: Job,
): Promise<void> {
  if (base?.type !== 'checking') return
  const { baselineId } = base
  const open = await records.jobs.listOpen()
  if (open.some((job) => job.id !== id && job.base?.baselineId === baselineId)) return
  const baseline = await records.baselines.find(baselineId)
  if (baseline?.state.type !== 'checking') return
  const session = await records.sessions.find(baseline.state.sessionId)
  if (session === undefined) return
  await storeStop(needs, records, session, { type: 'cancelled', reason: 'no job is waiting for it any more' })
}
