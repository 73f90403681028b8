import type { LandingId } from '../id.ts'
import type { Priority } from '../task/task.ts'

/** What the order and the size of batches are decided by. */
export type WaitingLanding = {
  readonly id: LandingId
  /** The files it changes. */
  readonly files: readonly string[]
  readonly priority: Priority
  readonly batchLimit: number
}
