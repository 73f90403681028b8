import type { JobId } from '../../../domain/id.ts'
import type { ConversationState } from '../../../domain/session/conversation-state.ts'
import type { EngineNeeds } from '../../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'wakeAt'>

/** How long to wait before a job checks its budget, so that one check covers everything spent until then. */
const PATIENCE_MS = 1_000
const MANY_JOBS = 1_000

/** Makes jobs check their budgets while their programs spend money. Needs no storage: each check sees all costs. */
export class SpendWatch {
  readonly #needs: Needs
  /** When each job's next check is due. */
  readonly #due = new Map<JobId, number>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  note(payer: JobId | undefined, before: ConversationState, after: ConversationState | undefined): void {
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
