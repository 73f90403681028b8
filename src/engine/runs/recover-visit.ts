import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { VisitTrouble } from '../../domain/playbook/playbook.ts'
import { hasLost, isContinuable } from '../../domain/run/conversation-for.ts'
import { codeOf } from '../../domain/run/error-code.ts'
import type { RecoveryDecision } from '../../domain/run/recovery-for.ts'
import type { TroubleRecord } from '../../domain/run/trouble-record.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import type { Records } from '../../ports/store/store.ts'
import { abortRun } from './abort-run.ts'
import { askAboutTrouble } from './ask-about-trouble.ts'
import { decideRecovery } from './decide-recovery.ts'
import type { AskedVisit } from './find-asked.ts'
import type { RunNeeds } from './run-needs.ts'
import { storeTrouble } from './store-trouble.ts'
import { settleVisit, storeVisit } from './store-visit.ts'

export type Trouble = {
  readonly trouble: VisitTrouble
  readonly reason: string
  /** How the session of the attempt ended. */
  readonly end?: SessionEnd
  /** The work must not be used, so the next try must not build on it. */
  readonly isRefused?: boolean
}

type TriedVisit = { readonly asked: AskedVisit; readonly attempt: Attempt; readonly trouble: Trouble }

/** Does what the playbook says about a visit whose attempt failed. Whoever calls it advances the run. */
export async function recoverVisit(
  needs: RunNeeds,
  records: Records,
  job: Job,
  tried: TriedVisit,
): Promise<void> {
  const { asked, attempt, trouble } = tried
  const session = await records.sessions.find(attempt.sessionId)
  if (isConversationLost(tried, session)) return await beginAnew(needs, records, tried)
  const about = { attempt, trouble: trouble.trouble, canNudge: false }
  const decision = await decideRecovery(needs, records, asked, about)
  const record = recordOf(needs, tried, decision, session)
  const replaced =
    decision.type === 'substitute' ? [...asked.visit.replaced, attempt.agent.name] : asked.visit.replaced
  const visit: Visit = { ...asked.visit, replaced, problem: trouble.reason }
  const stored = await storeTrouble(records, { ...asked, visit }, record, decision)
  await act(needs, records, job, { ...asked, ...stored }, record)
}

async function act(
  needs: RunNeeds,
  records: Records,
  job: Job,
  asked: AskedVisit,
  record: TroubleRecord,
): Promise<void> {
  const { run, visit } = asked
  const { action, reason, until } = record
  if (action === 'escalate') return await askAboutTrouble(needs, records, job, asked, record)
  if (action === 'give-up' || action === 'abort') {
    await settleVisit(needs, records, run, visit, { outcome: 'failed', problem: reason })
    if (action === 'give-up') return
    return await abortRun(needs, records, job, run.id, `${visit.stage} was aborted: ${reason}`)
  }
  await storeVisit(records, visit, { type: 'visit-retry', ...(until === undefined ? {} : { until }) })
}

/** A conversation that can't be continued isn't the agent's fault. The next attempt begins one, with the whole prompt. */
async function beginAnew(needs: RunNeeds, records: Records, tried: TriedVisit): Promise<void> {
  const { asked, attempt, trouble } = tried
  const record: TroubleRecord = {
    code: codeOf(trouble.trouble, trouble.end),
    at: needs.clock.now().toISOString(),
    reason: `its earlier conversation could not be continued: ${trouble.reason}`,
    attemptId: attempt.id,
    action: 'begin-anew',
  }
  const visit = { ...asked.visit, troubles: [...asked.visit.troubles, record] }
  await storeVisit(records, visit, { type: 'visit-retry' })
}

function isConversationLost({ attempt, trouble }: TriedVisit, session: Session | undefined): boolean {
  const isFailure = trouble.trouble === 'crashed' || trouble.trouble === 'unstartable'
  return isFailure && hasLost({ attempt, session })
}

function recordOf(
  needs: RunNeeds,
  { attempt, trouble }: TriedVisit,
  decision: RecoveryDecision,
  session: Session | undefined,
): TroubleRecord {
  const now = needs.clock.now()
  const waitMs = 'afterMs' in decision ? decision.afterMs : 0
  const isContinued =
    decision.type === 'ask-again' &&
    trouble.isRefused !== true &&
    session !== undefined &&
    isContinuable(session)
  return {
    code: codeOf(trouble.trouble, trouble.end),
    at: now.toISOString(),
    reason: trouble.reason,
    attemptId: attempt.id,
    action: decision.type,
    ...('because' in decision ? { because: decision.because } : {}),
    ...(decision.type === 'substitute' ? { to: decision.to } : {}),
    ...(waitMs === 0 ? {} : { until: new Date(now.getTime() + waitMs).toISOString() }),
    ...(isContinued ? { isContinued } : {}),
  }
}
