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

/**
 * Collects messages from the outboxes of live sessions as they appear. Each session has at most one collection under
 * way and one waiting, however often its agent writes.
 */
export class OutboxWatches implements Disposable {
  readonly #needs: Needs
  readonly #watches = new Map<SessionId, Disposable>()
  readonly #underWay = new Map<SessionId, Promise<void>>()
  readonly #next = new Map<SessionId, Promise<void>>()

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
    await (this.#next.get(session.id) ?? this.#queue(session))
  }

  /** A collection that is under way may have passed a new file already, so another one follows it. */
  #queue(session: Session): Promise<void> {
    const underWay = this.#underWay.get(session.id)
    if (underWay === undefined) return this.#start(session)
    const next = underWay.then(() => {
      this.#next.delete(session.id)
      return this.#start(session)
    })
    this.#next.set(session.id, next)
    return next
  }

  #start(session: Session): Promise<void> {
    const collection = this.#collectNow(session).finally(() => this.#underWay.delete(session.id))
    this.#underWay.set(session.id, collection)
    return collection
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
