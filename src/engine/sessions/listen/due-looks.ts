import type { SessionId } from '../../../domain/id.ts'

const QUIET_MS = 200

/**
 * Sessions that printed and were not looked at. Each is woken when it has been quiet for a while: should its
 * program have ended in the moment of its last line, there may be no other sign of it.
 */
export class DueLooks implements Disposable {
  readonly #wake: (sessionId: SessionId) => void
  /** By the time at which each is due; what was added last is due last. */
  readonly #due = new Map<SessionId, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(wake: (sessionId: SessionId) => void) {
    this.#wake = wake
  }

  /** Its program printed again: the time begins anew. */
  add(sessionId: SessionId): void {
    this.#due.delete(sessionId)
    this.#due.set(sessionId, performance.now() + QUIET_MS)
    this.#arm(QUIET_MS)
  }

  /** It was looked at. */
  delete(sessionId: SessionId): void {
    this.#due.delete(sessionId)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }

  #arm(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#wakeThoseDue(performance.now())
    }, afterMs).unref()
  }

  #wakeThoseDue(now: number): void {
    for (const [sessionId, dueAt] of this.#due) {
      if (dueAt > now) {
        this.#arm(dueAt - now)
        return
      }
      this.#due.delete(sessionId)
      this.#wake(sessionId)
    }
  }
}
