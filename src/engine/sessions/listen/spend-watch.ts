import type { ConversationState } from '../../../domain/session/conversation-state.ts'
import type { Work } from '../../../ports/work-queue.ts'
import type { EngineNeeds } from '../../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'wakeAt'>

/** How long to wait before a budget is checked, so that one check covers everything spent until then. */
const PATIENCE_MS = 1_000
const MANY_CHECKS = 1_000

/** Makes jobs and runs check their budgets while their programs spend money. Needs no storage: each check sees all costs. */
export class SpendWatch {
  readonly #needs: Needs
  /** When each next check is due. */
  readonly #due = new Map<string, number>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  note(
    payers: readonly Work[] | undefined,
    before: ConversationState,
    after: ConversationState | undefined,
  ): void {
    if (payers === undefined || after === undefined || after.usage.costUsd <= before.usage.costUsd) return
    for (const payer of payers) this.#plan(payer)
  }

  #plan(payer: Work): void {
    const key = JSON.stringify(payer)
    const now = this.#needs.clock.now().getTime()
    if ((this.#due.get(key) ?? 0) > now) return
    if (this.#due.size >= MANY_CHECKS) this.#forget(now)
    this.#due.set(key, now + PATIENCE_MS)
    this.#needs.wakeAt(new Date(now + PATIENCE_MS), payer)
  }

  #forget(now: number): void {
    for (const [key, due] of this.#due) if (due <= now) this.#due.delete(key)
  }
}
