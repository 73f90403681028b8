import type { SessionId } from '../../../domain/id.ts'
import type { Session } from '../../../domain/session/session.ts'
import { rulesOf } from '../../../domain/session/session-purpose.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import type { EngineNeeds } from '../../engine-needs.ts'

/** The end of a turn, or the exit of the program. */
type Moment = TurnOutcome | 'exit'

/**
 * Collects the outbox of a session at the end of a turn and after its program's exit, because a message there may
 * change what follows. An agent can leave any number of files, so nothing waits for a collection: it wakes its session.
 */
export class CollectedOutboxes {
  readonly #outboxes: Pick<EngineNeeds['outboxes'], 'collect'>
  readonly #wake: (sessionId: SessionId) => void
  readonly #collections = new Map<SessionId, { readonly moment: Moment; isDone: boolean }>()

  constructor(outboxes: Pick<EngineNeeds['outboxes'], 'collect'>, wake: (sessionId: SessionId) => void) {
    this.#outboxes = outboxes
    this.#wake = wake
  }

  /** Whether what the agent left until this moment is stored. If not, the session is woken once it is. */
  hasAllFrom(session: Session, moment: Moment): boolean {
    if (!rulesOf(session).takesMessages) return true
    const known = this.#collections.get(session.id)
    if (known?.moment === moment) return known.isDone
    const collection = { moment, isDone: false }
    this.#collections.set(session.id, collection)
    void this.#outboxes.collect(session).then(() => {
      collection.isDone = true
      if (this.#collections.get(session.id) === collection) this.#wake(session.id)
    })
    return false
  }

  delete(sessionId: SessionId): void {
    this.#collections.delete(sessionId)
  }
}
