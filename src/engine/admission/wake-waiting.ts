import type { JobId } from '../../domain/id.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { decideStarts, type StartDecision } from './decide-starts.ts'
import { storePlaced } from './place-session.ts'
import { isUnchanged } from './start-waiter.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'settings' | 'crash' | 'wakeAt' | 'sendWork'>

/**
 * Gives what waits its place, in turn, for as long as there is room. Sent whenever something frees capacity; run twice
 * it finds nothing more to do. Sessions are moved on here, jobs start their own tasks and planners: they come to the
 * same decision, because nobody may take a place that one before it could use.
 */
export async function wakeWaiting(needs: Needs): Promise<void> {
  const jobs = await needs.store.transact(async (records) => {
    const decisions = await decideStarts(needs, records, { type: 'nobody' })
    const woken = new Set<JobId>()
    for (const decision of decisions) {
      const jobId = await wake(needs, records, decision)
      if (jobId !== undefined) woken.add(jobId)
    }
    setAlarm(needs, decisions)
    needs.crash.reach('admission.before-wake')
    return woken
  })
  for (const jobId of jobs) await needs.sendWork({ type: 'job-advance', jobId })
}

/** Moves a session on; returns the job that has to move on otherwise. */
async function wake(
  needs: Needs,
  records: Records,
  { waiter, admission }: StartDecision,
): Promise<JobId | undefined> {
  const { of, request } = waiter
  if (isUnchanged(waiter, admission)) return undefined
  if (of.type !== 'session') return request.jobId
  await storePlaced(records, of.session, admission, needs.clock.now())
  return undefined
}

/** A day ends and a quota returns without anyone noticing, so the waker comes back by itself. */
function setAlarm(needs: Needs, decisions: readonly StartDecision[]): void {
  const times = decisions.flatMap(({ admission }) =>
    admission.type === 'refused' && admission.until !== undefined ? [admission.until] : [],
  )
  const [first] = times.sort()
  if (first !== undefined) needs.wakeAt(new Date(first), { type: 'admission-wake' })
}
