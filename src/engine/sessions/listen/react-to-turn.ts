import type { SessionId } from '../../../domain/id.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import type { Session } from '../../../domain/session/session.ts'
import { rulesOf } from '../../../domain/session/session-purpose.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import type { Records } from '../../../ports/store/store.ts'
import { voidApprovals } from '../../approvals/void-approvals.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { storeStop } from '../end/stop-session.ts'
import { storeSuspension } from '../end/suspend-session.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'settings' | 'wakeAt'>

/**
 * Reacts to the end of a turn: a session that has done its work ends, a session out of quota is parked until it has
 * some again, one whose program can't work is suspended until a person helps, and an interrupted session waits for
 * the next message.
 */
export async function reactToTurn(needs: Needs, sessionId: SessionId): Promise<void> {
  await needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session?.state.type !== 'running') return
    const { turn, openTurns } = session.conversation
    if (turn === undefined || openTurns > 0) return
    await voidApprovals(needs, records, session, 'the turn that asked has ended')
    // More input is waiting: the turn it starts decides.
    if ((await records.sessions.pendingInputs([sessionId])).some(({ input }) => input.type === 'say')) return
    await react(needs, records, session, turn)
  })
}

async function react(needs: Needs, records: Records, session: Session, turn: TurnOutcome): Promise<void> {
  if (turn.type === 'limited' && rulesOf(session).waitsForQuota) {
    const until = parkedUntil(needs, turn)
    await storeSuspension(needs, records, session, {
      type: 'limited',
      reason: turn.reason,
      until: until.toISOString(),
    })
    return
  }
  if (turn.type === 'unready' && rulesOf(session).waitsForQuota) {
    await storeSuspension(needs, records, session, { ...turn, ...retryOf(needs, turn) })
    return
  }
  if (!rulesOf(session).endsWithTurn || turn.type === 'interrupted') return
  await storeStop(needs, records, session, { type: 'finished', turn })
}

/** A network comes back by itself. Only a person can log in or update a program. */
function retryOf(needs: Needs, { cause }: Extract<TurnOutcome, { type: 'unready' }>) {
  if (cause !== 'network') return {}
  return { until: new Date(needs.clock.now().getTime() + SESSION_LIMITS.networkRetryMs).toISOString() }
}

function parkedUntil(needs: Needs, turn: Extract<TurnOutcome, { type: 'limited' }>): Date {
  const now = needs.clock.now().getTime()
  const reported = turn.resetsAt === undefined ? Number.NaN : Date.parse(turn.resetsAt)
  const fallback = now + (turn.resetsInMs ?? needs.settings.limitMinutes * 60_000)
  const until = Number.isNaN(reported) ? fallback : reported
  return new Date(
    Math.min(Math.max(until, now + SESSION_LIMITS.leastQuotaMs), now + SESSION_LIMITS.mostQuotaMs),
  )
}
