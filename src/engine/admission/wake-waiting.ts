import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeAdmission } from './admit-session.ts'
import { decideStarts, type StartDecision, type StartDecisions } from './decide-starts.ts'
import { isUnchanged } from './start-waiter.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'settings' | 'crash' | 'wakeAt'>

/**
 * Starts what waits, in turn order, as far as the limits allow. It is sent whenever something frees capacity; a
 * second run finds nothing to do. Sessions are admitted here. Jobs are woken to start their own tasks and planners:
 * they come to the same decision, because no one may take a slot that an earlier request could use.
 */
export async function wakeWaiting(needs: Needs): Promise<void> {
  await needs.store.transact(async (records) => {
    const starts = await decideStarts(needs, records, { type: 'nobody' })
    for (const decision of starts.decisions) await wake(needs, records, decision)
    setAlarm(needs, starts)
    needs.crash.reach('admission.before-wake')
  })
}

/** Admits a session, or wakes the job whose planner or task waited. */
async function wake(needs: Needs, records: Records, { waiter, admission }: StartDecision): Promise<void> {
  const { of, request } = waiter
  if (isUnchanged(waiter, admission)) return
  if (of.type === 'session') {
    await storeAdmission(records, of.session, admission, needs.clock.now())
    return
  }
  const { jobId } = request
  if (jobId === undefined) return
  await records.note({
    audit: { actor: 'engine', action: 'job-wake', subject: jobId, detail: {} },
    follow: [{ type: 'job-advance', jobId }],
  })
}

/**
 * No event reports that a day ends, that quota is back, or that an attempt could not be settled in time, so an alarm is
 * set for the first of these times.
 */
function setAlarm(needs: Needs, { decisions, keptUntil }: StartDecisions): void {
  const times = decisions.flatMap(({ admission }) =>
    admission.type === 'refused' && admission.until !== undefined ? [admission.until] : [],
  )
  if (keptUntil !== undefined) times.push(keptUntil.toISOString())
  const [first] = times.sort()
  if (first !== undefined) needs.wakeAt(new Date(first), { type: 'admission-wake' })
}
