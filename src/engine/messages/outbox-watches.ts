import type { SessionId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import { rulesOf } from '../../domain/session/session-purpose.ts'
import type { Log } from '../../ports/log.ts'
import type { Outbox } from '../../ports/outbox.ts'

type Needs = {
  readonly outbox: Pick<Outbox, 'watch'>
  readonly log: Log
  /** The directory in which a session's agent leaves its messages. */
  readonly outboxOf: (session: Session) => string
  readonly collect: (session: Session) => Promise<void>
}

/** Collects messages from the outboxes of live sessions as they appear, one collection per session at a time. */
export class OutboxWatches implements Disposable {
  readonly #needs: Needs
  readonly #watches = new Map<SessionId, Disposable>()
  readonly #collecting = new Map<SessionId, Promise<void>>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  adopt(session: Session): void {
    if (!rulesOf(session).takesMessages || this.#watches.has(session.id)) return
    const inspect = () => void this.collect(session)
    this.#watches.set(session.id, this.#needs.outbox.watch(this.#needs.outboxOf(session), inspect))
    inspect()
  }

  /**
   * Resolves when the current content of the outbox is stored. An unreadable outbox blocks nothing, because an agent
   * may have made it unreadable.
   */
  async collect(session: Session): Promise<void> {
    if (!rulesOf(session).takesMessages) return
    const before = this.#collecting.get(session.id) ?? Promise.resolve()
    const after = before.then(() => this.#collectNow(session))
    this.#collecting.set(session.id, after)
    await after
    if (this.#collecting.get(session.id) === after) this.#collecting.delete(session.id)
  }

  async #collectNow(session: Session): Promise<void> {
    try {
      await this.#needs.collect(session)
    } catch (error) {
      this.#needs.log.warn({ sessionId: session.id, error: String(error) }, 'outbox could not be read')
    }
  }

  release(sessionId: SessionId): void {
    this.#watches.get(sessionId)?.[Symbol.dispose]()
    this.#watches.delete(sessionId)
  }

  [Symbol.dispose](): void {
    for (const sessionId of [...this.#watches.keys()]) this.release(sessionId)
  }
}
