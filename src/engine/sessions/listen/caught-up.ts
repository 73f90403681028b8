import type { SessionId } from '../../../domain/id.ts'
import type { SpoolRead } from './read-spools.ts'

/** Up to which moment everything that a session's program printed has been read and reacted to. */
export class CaughtUp {
  /** When the current or last read began, by `performance.now()`. */
  readonly #begun = new Map<SessionId, number>()
  readonly #upTo = new Map<SessionId, number>()

  begin(sessionId: SessionId): void {
    this.#begun.set(sessionId, performance.now())
  }

  /** What was read is stored, and everything that follows from it has happened. */
  finish({ sessionId, hasMore }: SpoolRead): void {
    const begun = this.#begun.get(sessionId)
    if (begun !== undefined && !hasMore) this.#upTo.set(sessionId, begun)
  }

  hasSince(sessionId: SessionId, since: number): boolean {
    return (this.#upTo.get(sessionId) ?? Number.NEGATIVE_INFINITY) >= since
  }

  delete(sessionId: SessionId): void {
    this.#begun.delete(sessionId)
    this.#upTo.delete(sessionId)
  }
}
