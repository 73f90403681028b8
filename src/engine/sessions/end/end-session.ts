import type { NewEvent } from '../../../domain/event/event.ts'
import { sessionEnded, sessionOpened } from '../../../domain/event/session-events.ts'
import type { SessionId } from '../../../domain/id.ts'
import { endingOf } from '../../../domain/session/ending.ts'
import { nextSessionState } from '../../../domain/session/next-session-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { SessionEnd, SessionState } from '../../../domain/session/session-state.ts'
import type { Change } from '../../../ports/store/change.ts'
import type { Records } from '../../../ports/store/store.ts'
import { voidApprovals } from '../../approvals/void-approvals.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { failUnreadMessages } from '../../receipts/fail-messages.ts'
import { hostOf } from '../host-of.ts'
import { planOf } from '../purposes/plan-of.ts'
import { findSetupEnd, lastErrorsOf } from './find-setup-end.ts'
import { lostOutputEvents } from './lost-output-events.ts'

type Needs = Pick<EngineNeeds, 'store' | 'host' | 'clock' | 'crash' | 'settings' | 'assignments'>

/**
 * Records that a session's program has exited and queues the work that follows. The caller must have read its
 * spools to the end; `said` is what a program without spools said last. If the session was being suspended, it is
 * suspended from now on.
 */
export async function endSession(
  needs: Needs,
  sessionId: SessionId,
  seen: SessionEnd,
  processNumber?: number,
  said: readonly NewEvent[] = [],
): Promise<void> {
  const found = await needs.store.read.sessions.find(sessionId)
  if (found === undefined) return
  const lost = [...said, ...(await lostOutputEvents(needs, found))]
  const gaps = { ...(await truncatedSpools(needs, found)), lost }
  const end = await findSetupEnd(needs, found, seen, () => lastErrorsOf(needs, found))
  await needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session === undefined || isOfEarlierProgram(session, processNumber)) return
    const state = nextSessionState(session.state, { type: 'host-end', end })
    if (!state.ok) return
    await voidApprovals(needs, records, session, 'the program that asked has exited')
    if (state.value.type === 'suspended') await storeSuspended(records, session, state.value, gaps)
    if (state.value.type === 'terminated') await storeEnd(needs, records, session, state.value, gaps)
    needs.crash.reach('session-end.before-commit')
  })
}

/** After a lost database connection, the end of an earlier process may be reported a second time. Ignore it. */
function isOfEarlierProgram({ processNumber, state }: Session, seen: number | undefined): boolean {
  const isContinuing = 'resume' in state && state.resume !== undefined && state.type !== 'suspended'
  return seen !== undefined && (seen < processNumber || isContinuing)
}

/** The session can be resumed now, and is if somebody asked for that in the meantime. */
async function storeSuspended(
  records: Records,
  session: Session,
  state: Extract<SessionState, { type: 'suspended' }>,
  { lost = [] }: OutputGaps,
): Promise<void> {
  await records.sessions.save(
    { ...session, state },
    {
      audit: {
        actor: 'engine',
        action: 'session-suspended',
        subject: session.id,
        detail: { why: state.why.type },
      },
      events: lost,
      follow: [
        ...(state.resume === undefined ? [] : [{ type: 'session-resume', sessionId: session.id } as const]),
        { type: 'admission-wake' },
      ],
    },
  )
}

/** What is missing from the spools of the process that has exited. */
type OutputGaps = {
  /** The spools that reached their size limit. */
  readonly truncated?: readonly string[]
  readonly lost?: readonly NewEvent[]
}

type Terminated = Extract<SessionState, { type: 'terminated' }>

/** Stores the end of a session in the caller's transaction. */
export async function storeEnd(
  needs: Pick<Needs, 'clock'>,
  records: Records,
  session: Session,
  state: Terminated,
  { lost = [], ...truncated }: OutputGaps = {},
): Promise<void> {
  const { end } = state
  const ending = endingOf(end, session.conversation.dialogue !== undefined)
  const at = needs.clock.now()
  const following = await planOf(session).whenEnded(records, { end, ending, at })
  const change: Change = {
    audit: { actor: 'engine', action: 'session-end', subject: session.id, detail: { end: end.type, ending } },
    events: [
      ...(session.startedAt === undefined ? [sessionOpened(session)] : []),
      ...lost,
      sessionEnded(session, { end, ending, ...truncated }),
    ],
    follow: [...following, { type: 'admission-wake' }],
  }
  await records.sessions.save({ ...session, state, endedAt: at }, change)
  await failUnreadMessages(records, session.id, at)
}

/** Names the spools that reached their size limit; usually there are none. */
async function truncatedSpools(needs: Needs, session: Session): Promise<Pick<OutputGaps, 'truncated'>> {
  const spools = ['out', 'err'] as const
  const cut = await Promise.all(spools.map((spool) => needs.host.truncated(hostOf(session), spool)))
  const truncated = spools.filter((_, index) => cut[index])
  return truncated.length === 0 ? {} : { truncated }
}
