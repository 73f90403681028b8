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
 * Draws the consequence of a turn that ended: work that was asked for is over, one that is out of quota rests
 * until it has some again, and whatever was interrupted waits for the next word.
 */
export async function reactToTurn(needs: Needs, sessionId: SessionId): Promise<void> {
  await needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session?.state.type !== 'running') return
    const { turn, openTurns } = session.talk
    if (turn === undefined || openTurns > 0) return
    await voidApprovals(needs, records, session, 'the turn in which it was asked is over')
    // Somebody has more to say: that turn decides.
    if ((await records.sessions.pendingInputs([sessionId])).some(({ input }) => input.type === 'say')) return
    await draw(needs, records, session, turn)
  })
}

async function draw(needs: Needs, records: Records, session: Session, turn: TurnOutcome): Promise<void> {
  if (turn.type === 'limited' && rulesOf(session).waitsForQuota) {
    const until = restUntil(needs, turn)
    await storeSuspension(needs, records, session, {
      type: 'limited',
      reason: turn.reason,
      until: until.toISOString(),
    })
    return
  }
  if (!rulesOf(session).endsWithTurn || turn.type === 'interrupted') return
  await storeStop(needs, records, session, { type: 'finished', turn })
}

function restUntil(needs: Needs, turn: Extract<TurnOutcome, { type: 'limited' }>): Date {
  const now = needs.clock.now().getTime()
  const told = turn.resetsAt === undefined ? Number.NaN : Date.parse(turn.resetsAt)
  const untold = now + (turn.resetsInMs ?? needs.settings.limitMinutes * 60_000)
  const wanted = Number.isNaN(told) ? untold : told
  return new Date(
    Math.min(Math.max(wanted, now + SESSION_LIMITS.leastQuotaMs), now + SESSION_LIMITS.mostQuotaMs),
  )
}
