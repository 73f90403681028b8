import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionId } from '../../../domain/id.ts'
import type { EngineNeeds } from '../../engine-needs.ts'

/** The more sessions print, the longer to gather their lines: each read costs about the same, however short. */
const GATHER_MS_EACH = 0.5
const MOST_GATHER_MS = 100
const FEW_SESSIONS = 8

type Options = {
  /** Handles some of the sessions that are awake, and returns how many had something to store. */
  readonly handleBatch: () => Promise<number>
  readonly retryMs: number
}

/**
 * Sessions that may have something to read or to do, in the order they woke. Handles one batch of them at a time.
 * While it does, the next batch gathers, so a busy daemon commits larger batches instead of falling behind.
 */
export class WokenSessions implements AsyncDisposable {
  readonly #needs: Pick<EngineNeeds, 'log'>
  readonly #options: Options
  readonly #awake = new Set<SessionId>()
  #handling: Promise<void> | undefined
  #isClosing = false

  constructor(needs: Pick<EngineNeeds, 'log'>, options: Options) {
    this.#needs = needs
    this.#options = options
  }

  wake(sessionId: SessionId): void {
    this.#awake.add(sessionId)
    this.#start()
  }

  delete(sessionId: SessionId): void {
    this.#awake.delete(sessionId)
  }

  list(): SessionId[] {
    return [...this.#awake]
  }

  /** Returns after the current batch. No other one follows. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true
    await this.#handling
  }

  #start(): void {
    this.#handling ??= this.#handle().finally(() => {
      this.#handling = undefined
      if (this.#hasNext()) this.#start()
    })
  }

  #hasNext(): boolean {
    return this.#awake.size > 0 && !this.#isClosing
  }

  async #handle(): Promise<void> {
    while (this.#hasNext()) {
      try {
        const begun = performance.now()
        const count = await this.#options.handleBatch()
        const gatherMs = Math.min(count * GATHER_MS_EACH, MOST_GATHER_MS) - (performance.now() - begun)
        if (count > FEW_SESSIONS && gatherMs > 1) await sleep(gatherMs)
      } catch (error) {
        // The database is unreachable or the disk is full. Nothing is lost: spools and offsets are durable.
        this.#needs.log.warn({ error: String(error) }, 'could not store agent output; will retry')
        await sleep(this.#options.retryMs)
      }
    }
  }
}
