import type { Attempt } from '../../domain/attempt/attempt.ts'
import { sessionPrompted } from '../../domain/event/session-events.ts'
import type { SessionId } from '../../domain/id.ts'
import { codeOf } from '../../domain/run/error-code.ts'
import type { TroubleRecord } from '../../domain/run/trouble-record.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { nudgeFor } from '../prompts/nudge.ts'
import { decideRecovery } from './decide-recovery.ts'
import { type AskedVisit, findAwaited } from './find-asked.ts'
import { storeTrouble } from './store-trouble.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'crash' | 'settings'>

/**
 * Asks an agent whose time is over to finish, in its running conversation, if the playbook says so. Returns how much
 * longer it may take; undefined if it is to be stopped. Safe to repeat: the same time is only given once.
 */
export async function nudgeVisit(
  needs: Needs,
  attempt: Attempt,
  sessionId: SessionId,
): Promise<number | undefined> {
  return await needs.store.withJob(attempt.jobId, async (records) => {
    const asked = await findAwaited(records, attempt)
    const session = await records.sessions.find(sessionId)
    if (asked === undefined || session === undefined || !canHear(session)) return undefined
    const left = timeLeft(needs, asked, attempt)
    if (left !== undefined) return left
    const about = { attempt, trouble: 'timeout', canNudge: true } as const
    const decision = await decideRecovery(needs, records, asked, about)
    if (decision.type !== 'nudge') return undefined
    await store(needs, records, { asked, attempt, session })
    needs.crash.reach('run.after-nudge')
    return needs.settings.nudgeGraceMs
  })
}

function canHear({ state, conversation, mode }: Session): boolean {
  return state.type === 'running' && mode === 'headless' && conversation.dialogue !== undefined
}

/** What is left of the time that the agent was given before, for example if the answer to that was lost. */
function timeLeft({ clock }: Needs, { visit }: AskedVisit, attempt: Attempt): number | undefined {
  const nudge = visit.troubles.findLast(
    ({ action, attemptId }) => action === 'nudge' && attemptId === attempt.id,
  )
  if (nudge?.until === undefined) return undefined
  const left = Date.parse(nudge.until) - clock.now().getTime()
  return left > 0 ? left : undefined
}

type Nudged = { readonly asked: AskedVisit; readonly attempt: Attempt; readonly session: Session }

async function store(needs: Needs, records: Records, { asked, attempt, session }: Nudged): Promise<void> {
  const { nudgeGraceMs } = needs.settings
  const now = needs.clock.now()
  const until = new Date(now.getTime() + nudgeGraceMs)
  const record: TroubleRecord = {
    code: codeOf('timeout'),
    at: now.toISOString(),
    reason: `it was not done after ${asked.stage.minutes} minutes`,
    attemptId: attempt.id,
    action: 'nudge',
    until: until.toISOString(),
  }
  await storeTrouble(records, asked, record, { type: 'nudge' })
  const given = { actor: 'engine', action: 'session-nudge', subject: session.id, detail: {} } as const
  await records.sessions.save({ ...session, deadline: until }, { audit: given })
  const text = nudgeFor(nudgeGraceMs)
  // It may be in the middle of a turn that never ends.
  await records.sessions.addInput(session.id, { type: 'interrupt' }, { audit: given })
  await records.sessions.addInput(
    session.id,
    { type: 'say', text },
    { audit: given, events: [sessionPrompted(session, text)] },
  )
}
