import type { SessionId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import { rulesOf } from '../../domain/session/session-purpose.ts'
import type { Log } from '../../ports/log.ts'
import type { Outbox } from '../../ports/outbox.ts'

type Needs = {
  readonly outbox: Pick<Outbox, 'watch'>
  readonly log: Log
  /** Where this session's agent leaves its messages. */
  readonly outboxOf: (session: Session) => string
  readonly collect: (session: Session) => Promise<void>
}

/** Takes messages out of the outboxes of live sessions as they appear; of one session one after the other. */
export class OutboxWatches implements Disposable {
  readonly #needs: Needs
  readonly #watches = new Map<SessionId, Disposable>()
  readonly #collecting = new Map<SessionId, Promise<void>>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  adopt(session: Session): void {
    if (!rulesOf(session).takesMessages || this.#watches.has(session.id)) return
    const look = () => void this.collect(session)
    this.#watches.set(session.id, this.#needs.outbox.watch(this.#needs.outboxOf(session), look))
    look()
  }

  /**
   * What is in the outbox now is stored when this resolves. One that cannot be read is no reason to hold anything
   * up: an agent may have made it so.
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
      this.#needs.log.warn({ sessionId: session.id, error: String(error) }, 'outbox not read')
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
