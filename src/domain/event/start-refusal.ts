import type { StartLimit } from '../admission/limit-order.ts'
import { describeRefusal, type Refusal } from '../admission/refusal.ts'

/** Why something waits to start, as event data. */
export type StartRefusal = {
  readonly limit: StartLimit
  readonly value: number
  readonly inUse: number
  readonly until?: string | undefined
  /** The same, as one line. */
  readonly reason: string
}

export function startRefusal(refusal: Refusal): StartRefusal {
  const { limit, value, inUse, until } = refusal
  return { limit, value, inUse, until, reason: describeRefusal(refusal) }
}
