import type { SessionId } from '../../../domain/id.ts'

const QUIET_MS = 200

/**
 * Sessions that printed something and whose program hasn't been inspected since. Each is woken once it has been quiet
 * for a while: if the program exited right after its last line, there may be no other sign of it.
 */
export class DueInspections implements Disposable {
  readonly #wake: (sessionId: SessionId) => void
  /** When each session is due. The map's order is the order of these times. */
  readonly #due = new Map<SessionId, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(wake: (sessionId: SessionId) => void) {
    this.#wake = wake
  }

  /** The program printed again, so its quiet time starts over. */
  add(sessionId: SessionId): void {
    this.#due.delete(sessionId)
    this.#due.set(sessionId, performance.now() + QUIET_MS)
    this.#arm(QUIET_MS)
  }

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
