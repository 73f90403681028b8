import { sessionEnded } from '../../../domain/event/session-events.ts'
import type { SessionId } from '../../../domain/id.ts'
import { endingOf } from '../../../domain/session/ending.ts'
import { nextSessionState } from '../../../domain/session/next-session-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { SessionEnd, SessionState } from '../../../domain/session/session-state.ts'
import type { Change } from '../../../ports/store/change.ts'
import type { Records } from '../../../ports/store/store.ts'
import { voidApprovals } from '../../approvals/void-approvals.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { failUnreadMessages } from '../../receipts/fail-unread-messages.ts'
import { hostOf } from '../host-of.ts'
import { planOf } from '../purposes/plan-of.ts'
import { findSetupEnd, lastErrorsOf } from '../start/find-setup-end.ts'

type Needs = Pick<EngineNeeds, 'store' | 'host' | 'clock' | 'crash' | 'settings' | 'roles'>

/**
 * Records that a session's program is gone, and hands what it leaves to whoever judges it. The caller has read
 * its spools to the end. A session that was suspended rests from now on.
 */
export async function endSession(
  needs: Needs,
  sessionId: SessionId,
  seen: SessionEnd,
  life?: number,
): Promise<void> {
  const found = await needs.store.read.sessions.find(sessionId)
  if (found === undefined) return
  const truncated = await truncatedSpools(needs, found)
  const end = await findSetupEnd(needs, found, seen, () => lastErrorsOf(needs, found))
  await needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session === undefined || isOfEarlierProgram(session, life)) return
    const state = nextSessionState(session.state, { type: 'host-end', end })
    if (!state.ok) return
    await voidApprovals(needs, records, session, 'the program that asked is gone')
    if (state.value.type === 'suspended') await storeRest(records, session, state.value)
    if (state.value.type === 'terminated') await storeEnd(needs, records, session, state.value, truncated)
    needs.crash.reach('session-end.before-commit')
  })
}

/** News of an earlier program, told again after a database that was lost: the session is already past it. */
function isOfEarlierProgram({ life, state }: Session, seen: number | undefined): boolean {
  const isContinuing = 'resume' in state && state.resume !== undefined && state.type !== 'suspended'
  return seen !== undefined && (seen < life || isContinuing)
}

/** The program is gone; the session may be gone on with, and if that was asked for meanwhile, it is. */
async function storeRest(
  records: Records,
  session: Session,
  state: Extract<SessionState, { type: 'suspended' }>,
): Promise<void> {
  await records.sessions.save(
    { ...session, state },
    {
      audit: {
        actor: 'engine',
        action: 'session-rest',
        subject: session.id,
        detail: { why: state.why.type },
      },
      follow: [
        ...(state.resume === undefined ? [] : [{ type: 'session-resume', sessionId: session.id } as const]),
        { type: 'admission-wake' },
      ],
    },
  )
}

type Over = Extract<SessionState, { type: 'terminated' }>

/** Stores the end of a session in the transaction of whoever decided it. */
export async function storeEnd(
  needs: Pick<Needs, 'clock'>,
  records: Records,
  session: Session,
  state: Over,
  truncated: { readonly truncated?: readonly string[] } = {},
): Promise<void> {
  const { end } = state
  const ending = endingOf(end, session.talk.dialogue !== undefined)
  const at = needs.clock.now()
  const following = await planOf(session).whenEnded(records, { end, ending, at })
  const change: Change = {
    audit: { actor: 'engine', action: 'session-end', subject: session.id, detail: { end: end.type, ending } },
    events: [sessionEnded(session, { end, ending, ...truncated })],
    follow: [...following, { type: 'admission-wake' }],
  }
  await records.sessions.save({ ...session, state, endedAt: at }, change)
  await failUnreadMessages(records, session.id, at)
}

/** Nothing to say in the usual case; a spool that reached its cap is named. */
async function truncatedSpools(
  needs: Needs,
  session: Session,
): Promise<{ readonly truncated?: readonly string[] }> {
  const spools = ['out', 'err'] as const
  const cut = await Promise.all(spools.map((spool) => needs.host.truncated(hostOf(session), spool)))
  const truncated = spools.filter((_, index) => cut[index])
  return truncated.length === 0 ? {} : { truncated }
}
