import type { SessionId } from '../../../domain/id.ts'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'

/** What follows from a failed read: nothing, because a retry is pending; a retry; or the end of the session. */
type Verdict = 'wait' | 'retry' | 'give-up'

/** Counts how often in a row the files of a session could not be read. */
export class FailedReads {
  readonly #togetherMs: number
  readonly #failures = new Map<SessionId, { readonly times: number; readonly at: number }>()

  /** Failures that are closer together count as one: a program that prints causes many reads at once. */
  constructor(togetherMs: number) {
    this.#togetherMs = togetherMs
  }

  add(sessionId: SessionId): Verdict {
    const last = this.#failures.get(sessionId)
    const at = performance.now()
    if (last !== undefined && at - last.at < this.#togetherMs) return 'wait'
    const times = (last?.times ?? 0) + 1
    this.#failures.set(sessionId, { times, at })
    return times < RETRY_LIMITS.spoolReads ? 'retry' : 'give-up'
  }

  delete(sessionId: SessionId): void {
    this.#failures.delete(sessionId)
  }
}
