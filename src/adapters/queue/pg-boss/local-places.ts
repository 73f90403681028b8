import { setTimeout as sleep } from 'node:timers/promises'
import type { Work } from '../../../ports/work-queue.ts'
import { LANES, type Lane } from './lanes.ts'

/** One piece of work with the id of its stored copy. */
export type StoredWork = { readonly id: string; readonly lane: Lane; readonly work: Work }

type Needs = {
  readonly handle: (work: Work) => Promise<void>
  /** Called when work is done. Its stored copy can be removed. */
  readonly onDone: (done: StoredWork) => void
  /** Called when work failed. Its stored copy retries it. */
  readonly onFailed: (failed: StoredWork) => void
}

/** Beyond this many, work is left to its stored copy, so that a burst can't fill the memory. */
const MAX_WAITING = 1_000

/**
 * Does work that this process has just committed, without waiting for the queue to hand it out. The queue stays the
 * source of truth: work that fails or is lost with the process is done when its stored copy is due.
 */
export class LocalPlaces {
  readonly #needs: Needs
  readonly #waiting = new Map<Lane, StoredWork[]>()
  readonly #running = new Map<string, Promise<void>>()
  readonly #busy = new Map<Lane, number>()
  /** Undefined after `close`. */
  #places: typeof LANES | undefined = LANES

  constructor(needs: Needs) {
    this.#needs = needs
  }

  take(items: readonly StoredWork[]): void {
    if (this.#places === undefined) return
    for (const item of items) {
      const line = this.#lineOf(item.lane)
      if (line.length < MAX_WAITING) line.push(item)
    }
    for (const lane of new Set(items.map((item) => item.lane))) this.#fill(lane)
  }

  /** Does a stored copy that is due. If this process is already doing that work, waits for its end instead. */
  async redo(item: StoredWork): Promise<void> {
    const line = this.#lineOf(item.lane)
    const place = line.findIndex(({ id }) => id === item.id)
    if (place >= 0) line.splice(place, 1)
    await (this.#running.get(item.id) ?? this.#needs.handle(item.work))
  }

  /** Starts nothing more and waits for running work, up to the timeout. Work that is cut off has its stored copy. */
  async close(timeoutMs: number): Promise<void> {
    this.#places = undefined
    this.#waiting.clear()
    const ended = Promise.allSettled(this.#running.values())
    await Promise.race([ended, sleep(timeoutMs, undefined, { ref: false })])
  }

  #lineOf(lane: Lane): StoredWork[] {
    const line = this.#waiting.get(lane) ?? []
    this.#waiting.set(lane, line)
    return line
  }

  #fill(lane: Lane): void {
    const places = this.#places?.[lane] ?? 0
    while ((this.#busy.get(lane) ?? 0) < places) {
      const item = this.#lineOf(lane).shift()
      if (item === undefined) return
      this.#busy.set(lane, (this.#busy.get(lane) ?? 0) + 1)
      const handled = this.#needs.handle(item.work)
      this.#running.set(item.id, handled)
      void handled
        .then(
          () => this.#needs.onDone(item),
          // The handler has logged the reason.
          () => this.#needs.onFailed(item),
        )
        .finally(() => {
          this.#running.delete(item.id)
          this.#busy.set(lane, (this.#busy.get(lane) ?? 1) - 1)
          this.#fill(lane)
        })
    }
  }
}
