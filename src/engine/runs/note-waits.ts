import type { Approval } from '../../domain/approval/approval.ts'
import { describeToolUse } from '../../domain/approval/describe-action.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { TroubleRecord } from '../../domain/run/trouble-record.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Records } from '../../ports/store/store.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'
import { storeStop } from '../sessions/end/stop-session.ts'
import { decideRecovery } from './decide-recovery.ts'
import { type AskedVisit, findAwaited } from './find-asked.ts'
import type { RunNeeds } from './run-needs.ts'
import { storeTrouble } from './store-trouble.ts'
import { storeVisit } from './store-visit.ts'

/**
 * Notes which visits of a run wait because their agent has no quota or no network, or because only a person can help it.
 * None of that costs a try. Without quota or network, their sessions go on by themselves at the time that the program
 * reported. If the playbook would rather have another agent do it, or only a person can help this one, the session is
 * stopped, and the end of the attempt leads there. Each wait is noted once.
 */
export async function noteWaits(needs: RunNeeds, records: Records, { visits }: LoadedRun): Promise<void> {
  for (const visit of visits.filter(isWorking)) {
    const waiting = await findWaiting(records, visit)
    const wait = waiting === undefined ? undefined : await waitOf(needs, records, waiting.session)
    if (waiting === undefined || wait === undefined || isNoted(visit, waiting.attempt, wait)) continue
    if (wait.code === 'RATE_LIMITED') await noteQuota(needs, records, waiting, wait)
    else if (!(await passToAnother(needs, records, waiting, wait)))
      await noteLast(records, waiting.asked, recordOf(needs, waiting.attempt, wait))
  }
}

/** Stops a session whose program can't work before a person helps, if another agent of the role can take its place. */
async function passToAnother(
  needs: RunNeeds,
  records: Records,
  { asked, attempt, session }: Waiting,
  { reason }: Wait,
): Promise<boolean> {
  const { state } = session
  if (state.type !== 'suspended' || state.why.type !== 'unready' || state.why.until !== undefined)
    return false
  const visit: Visit = { ...asked.visit, state: { type: 'working', isUnready: true } }
  const about = { attempt, trouble: 'unstartable', canNudge: false } as const
  const decision = await decideRecovery(needs, records, { ...asked, visit }, about)
  if (decision.type !== 'substitute') return false
  await storeVisit(records, asked.visit, { type: 'unready-stop' })
  await storeStop(needs, records, session, { type: 'cancelled', reason })
  return true
}

async function findWaiting(records: Records, { attemptId }: Visit): Promise<Waiting | undefined> {
  const attempt = attemptId === undefined ? undefined : await records.attempts.find(attemptId)
  if (attempt === undefined) return undefined
  const session = await records.sessions.find(attempt.sessionId)
  const asked = session === undefined ? undefined : await findAwaited(records, attempt)
  return session === undefined || asked === undefined ? undefined : { asked, attempt, session }
}

function isWorking({ state }: Visit): boolean {
  return state.type === 'working' && state.isOutOfQuota !== true && state.isUnready !== true
}

/** Of what an agent wants to do. The request itself has all of it. */
const MOST_CHARACTERS = 200

type Wait = { readonly reason: string } & (
  | { readonly code: 'RATE_LIMITED'; readonly until: string }
  | { readonly code: 'NETWORK_ERROR'; readonly until: string }
  | { readonly code: 'AGENT_BLOCKED'; readonly until?: string }
)

async function waitOf(
  { clock }: RunNeeds,
  records: Records,
  { id: sessionId, state }: Session,
): Promise<Wait | undefined> {
  if (state.type === 'running') {
    const [request] = await records.approvals.list({ sessionId, isPending: true }, 1)
    return request === undefined ? undefined : blockedBy(request)
  }
  if (state.type !== 'suspended' || state.why.type === 'asked' || state.resume !== undefined) return undefined
  const { reason, until } = state.why
  if (until === undefined) return { code: 'AGENT_BLOCKED', reason }
  if (new Date(until) <= clock.now()) return undefined
  return { code: state.why.type === 'limited' ? 'RATE_LIMITED' : 'NETWORK_ERROR', reason, until }
}

function blockedBy({ action, expiresAt }: Approval): Wait | undefined {
  if (action.type !== 'tool-use') return undefined
  const { verb, object } = describeToolUse(action)
  const reason = `it needs permission to ${verb}: ${object.slice(0, MOST_CHARACTERS)}`
  return { code: 'AGENT_BLOCKED', reason, until: expiresAt.toISOString() }
}

function isNoted({ troubles }: Visit, { id }: Attempt, { code, until }: Wait): boolean {
  return troubles.some((record) => record.attemptId === id && record.code === code && record.until === until)
}

type Waiting = { readonly asked: AskedVisit; readonly attempt: Attempt; readonly session: Session }

async function noteQuota(
  needs: RunNeeds,
  records: Records,
  { asked, attempt, session }: Waiting,
  wait: Extract<Wait, { code: 'RATE_LIMITED' }>,
): Promise<void> {
  const quotaMs = Date.parse(wait.until) - needs.clock.now().getTime()
  const about = { attempt, trouble: 'quota', canNudge: false, quotaMs } as const
  const decision = await decideRecovery(needs, records, asked, about)
  if (decision.type !== 'park') {
    await storeVisit(records, asked.visit, { type: 'quota-stop' })
    await storeStop(needs, records, session, { type: 'cancelled', reason: wait.reason })
    needs.crash.reach('run.after-quota-stop')
    return
  }
  await storeTrouble(records, asked, recordOf(needs, attempt, wait), decision)
}

/** Only the last of several waits in a row is kept: a network may be away for days, and an agent may ask a lot. */
async function noteLast(records: Records, { run, visit }: AskedVisit, record: TroubleRecord): Promise<void> {
  const last = visit.troubles.at(-1)
  const isRepeated = last?.attemptId === record.attemptId && last?.code === record.code
  const troubles = isRepeated ? visit.troubles.slice(0, -1) : visit.troubles
  await storeTrouble(records, { run, visit: { ...visit, troubles } }, record)
}

const ACTIONS = { RATE_LIMITED: 'park', NETWORK_ERROR: 'wait', AGENT_BLOCKED: 'escalate' } as const

function recordOf(needs: RunNeeds, attempt: Attempt, { code, reason, until }: Wait): TroubleRecord {
  return {
    code,
    at: needs.clock.now().toISOString(),
    reason,
    attemptId: attempt.id,
    action: ACTIONS[code],
    ...(until === undefined ? {} : { until }),
  }
}
