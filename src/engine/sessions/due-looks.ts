import type { SessionId } from '../../domain/id.ts'
import { LOOK_AFTER_MS } from './read-spools.ts'

/** Sessions whose programs may have ended since they were looked at: woken together, a little later. */
export class DueLooks implements Disposable {
  readonly #wake: (sessionId: SessionId) => void
  #due = new Set<SessionId>()
  #timer: NodeJS.Timeout | undefined

  constructor(wake: (sessionId: SessionId) => void) {
    this.#wake = wake
  }

  add(sessionId: SessionId): void {
    this.#due.add(sessionId)
    this.#timer ??= setTimeout(() => {
      const due = this.#due
      this.#due = new Set()
      this.#timer = undefined
      for (const id of due) this.#wake(id)
    }, LOOK_AFTER_MS).unref()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}
