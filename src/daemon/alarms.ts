import type { Log } from '../ports/log.ts'
import type { Work } from '../ports/work-queue.ts'

type Needs = { readonly log: Log; readonly send: (work: Work) => Promise<void> }

/** The longest delay a timer supports; a later alarm is set again when it elapses. */
const LONGEST_MS = 2 ** 31 - 1

/** Sends work at a given time. Nothing is stored: rows remember what waits, and the reconciler sets alarms again. */
export class Alarms implements Disposable {
  readonly #needs: Needs
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Setting it again for the same work replaces the time. */
  set(at: Date, work: Work): void {
    const key = JSON.stringify(work)
    clearTimeout(this.#timers.get(key))
    const waitMs = Math.max(0, at.getTime() - Date.now())
    const ring = () => {
      this.#timers.delete(key)
      if (waitMs > LONGEST_MS) return this.set(at, work)
      this.#needs
        .send(work)
        .catch((error: unknown) =>
          this.#needs.log.warn({ work, error: String(error) }, 'an alarm could not send its work'),
        )
    }
    this.#timers.set(key, setTimeout(ring, Math.min(waitMs, LONGEST_MS)).unref())
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
