import type { JobId } from '../../../domain/id.ts'
import type { Talk } from '../../../domain/session/talk.ts'
import type { EngineNeeds } from '../../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'wakeAt'>

/** How soon a job looks at its budget after something was spent; all that is spent by then is one look. */
const PATIENCE_MS = 1_000
const MANY_JOBS = 1_000

/** Lets jobs look at their budgets while their programs spend. Forgotten with the process: every look sees it all. */
export class SpendWatch {
  readonly #needs: Needs
  /** When the look that was asked for last is due. */
  readonly #due = new Map<JobId, number>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  note(payer: JobId | undefined, before: Talk, after: Talk | undefined): void {
    if (payer === undefined || after === undefined || after.usage.costUsd <= before.usage.costUsd) return
    const now = this.#needs.clock.now().getTime()
    if ((this.#due.get(payer) ?? 0) > now) return
    if (this.#due.size >= MANY_JOBS) this.#forget(now)
    this.#due.set(payer, now + PATIENCE_MS)
    this.#needs.wakeAt(new Date(now + PATIENCE_MS), { type: 'job-advance', jobId: payer })
  }

  #forget(now: number): void {
    for (const [jobId, due] of this.#due) if (due <= now) this.#due.delete(jobId)
  }
}
