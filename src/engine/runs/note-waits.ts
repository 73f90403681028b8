import type { Attempt } from '../../domain/attempt/attempt.ts'
import { stageRecovered } from '../../domain/event/run-events.ts'
import { codeOf } from '../../domain/run/error-code.ts'
import { withRecovery } from '../../domain/run/recovery-for.ts'
import type { TroubleRecord } from '../../domain/run/trouble-record.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Suspension } from '../../domain/session/session-state.ts'
import type { Records } from '../../ports/store/store.ts'
import { storeStop } from '../sessions/end/stop-session.ts'
import { decideRecovery } from './decide-recovery.ts'
import { type AskedVisit, findAwaited } from './find-asked.ts'
import type { LoadedRun } from './load-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { storeVisit } from './store-visit.ts'

/**
 * Notes which visits of a run wait because their agent has no quota or no network. Their sessions go on by themselves at
 * the time that the program reported, and that costs no try. If the playbook would rather have another agent do it, the
 * session is stopped, and the end of the attempt leads there. Each wait is noted once.
 */
export async function noteWaits(needs: RunNeeds, records: Records, { visits }: LoadedRun): Promise<void> {
  for (const visit of visits.filter(isWorking)) {
    const waiting = await findWaiting(records, visit)
    const wait = waiting === undefined ? undefined : waitOf(needs, waiting.session)
    if (waiting === undefined || wait === undefined || isNoted(visit, waiting.attempt, wait)) continue
    if (wait.type === 'limited') await noteQuota(needs, records, waiting, wait)
    else await noteNetwork(records, waiting.asked, recordOf(needs, waiting.attempt, wait))
  }
}

async function findWaiting(records: Records, { attemptId }: Visit): Promise<Waiting | undefined> {
  const attempt = attemptId === undefined ? undefined : await records.attempts.find(attemptId)
  if (attempt === undefined) return undefined
  const session = await records.sessions.find(attempt.sessionId)
  const asked = session?.state.type === 'suspended' ? await findAwaited(records, attempt) : undefined
  return session === undefined || asked === undefined ? undefined : { asked, attempt, session }
}

function isWorking({ state }: Visit): boolean {
  return state.type === 'working' && state.isOutOfQuota !== true
}

type Wait = Exclude<Suspension, { type: 'asked' }> & { readonly until: string }

function waitOf({ clock }: RunNeeds, { state }: Session): Wait | undefined {
  if (state.type !== 'suspended' || state.why.type === 'asked' || state.resume !== undefined) return undefined
  const { why } = state
  const { until } = why
  return until === undefined || new Date(until) <= clock.now() ? undefined : { ...why, until }
}

function isNoted({ troubles }: Visit, { id }: Attempt, { until }: Wait): boolean {
  return troubles.some((record) => record.attemptId === id && record.until === until)
}

type Waiting = { readonly asked: AskedVisit; readonly attempt: Attempt; readonly session: Session }

async function noteQuota(
  needs: RunNeeds,
  records: Records,
  { asked, attempt, session }: Waiting,
  wait: Wait,
): Promise<void> {
  const { run, visit } = asked
  const quotaMs = Date.parse(wait.until) - needs.clock.now().getTime()
  const decision = decideRecovery(asked, attempt, 'quota', { canNudge: false, quotaMs })
  if (decision.type !== 'park') {
    await storeVisit(records, visit, { type: 'quota-stop' })
    await storeStop(needs, records, session, { type: 'cancelled', reason: wait.reason })
    needs.crash.reach('run.after-quota-stop')
    return
  }
  const task = await records.tasks.find(run.taskId)
  const counted = withRecovery({ onVisit: visit.recoveries, inRun: run.recoveries }, decision)
  const record = recordOf(needs, attempt, wait)
  await records.visits.save(
    { ...visit, recoveries: counted.onVisit, troubles: [...visit.troubles, record] },
    {
      audit: { actor: 'engine', action: 'visit-park', subject: visit.id, detail: { until: wait.until } },
      events: task === undefined ? [] : [stageRecovered(run, task, visit, 'park', record.reason)],
    },
  )
}

/** Only the last of several waits in a row is kept: a network may be away for days. */
async function noteNetwork(records: Records, { visit }: AskedVisit, record: TroubleRecord): Promise<void> {
  const isRepeated = visit.troubles.at(-1)?.action === 'wait'
  const before = isRepeated ? visit.troubles.slice(0, -1) : visit.troubles
  await records.visits.save(
    { ...visit, troubles: [...before, record] },
    { audit: { actor: 'engine', action: 'visit-wait', subject: visit.id, detail: {} } },
  )
}

function recordOf(needs: RunNeeds, attempt: Attempt, wait: Wait): TroubleRecord {
  const isQuota = wait.type === 'limited'
  return {
    code: isQuota ? codeOf('quota') : 'NETWORK_ERROR',
    at: needs.clock.now().toISOString(),
    reason: wait.reason,
    attemptId: attempt.id,
    action: isQuota ? 'park' : 'wait',
    until: wait.until,
  }
}
