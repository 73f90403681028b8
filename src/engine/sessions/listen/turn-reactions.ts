import type { SessionId } from '../../../domain/id.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { restartProgram } from '../start/restart-program.ts'
import { type AdoptedTail, isFull } from './adopted-tail.ts'
import type { CollectedOutboxes } from './collected-outboxes.ts'
import { reactToTurn } from './react-to-turn.ts'

type Needs = Parameters<typeof restartProgram>[0] &
  Parameters<typeof reactToTurn>[0] &
  Pick<EngineNeeds, 'host' | 'settings' | 'crash'>

/** Reacts once to the end of each turn. After a crash, adopting the session repeats the last reaction. */
export class TurnReactions {
  readonly #needs: Needs
  readonly #outboxes: Pick<CollectedOutboxes, 'hasAllFrom'>
  /** The last turn that was reacted to. */
  readonly #turns = new Map<SessionId, TurnOutcome>()

  constructor(needs: Needs, outboxes: Pick<CollectedOutboxes, 'hasAllFrom'>) {
    this.#needs = needs
    this.#outboxes = outboxes
  }

  /** Returns whether everything that follows from the turn has happened. */
  async react(tail: AdoptedTail): Promise<boolean> {
    const { session, conversation } = tail
    if (await isFull(this.#needs, tail)) {
      await restartProgram(this.#needs, session.id)
      return true
    }
    const { turn, openTurns } = conversation
    if (turn === undefined || openTurns > 0 || turn === this.#turns.get(session.id)) return true
    if (!this.#outboxes.hasAllFrom(session, turn)) return false
    this.#needs.crash.reach('conversation.before-reaction')
    await reactToTurn(this.#needs, session.id)
    this.#turns.set(session.id, turn)
    return true
  }

  delete(sessionId: SessionId): void {
    this.#turns.delete(sessionId)
  }
}
