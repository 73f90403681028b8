import { LANDING_LIMITS } from '../limits/landing-limits.ts'
import { orderLandings, type WaitingLanding } from './order-landings.ts'

/** Landings in the order in which they should come in, and how many of them go into the next candidate. */
export type BatchChoice<Entry extends WaitingLanding> = {
  readonly offer: readonly Entry[]
  readonly size: number
}

/**
 * The next candidate's share of what waits: with several candidates to be checked at once each takes a part,
 * which finds culprits sooner; with one it takes all. One that was in a failed batch brings its limit along.
 */
export function chooseBatch<Entry extends WaitingLanding>(
  waiting: readonly Entry[],
  freeSlots: number,
): BatchChoice<Entry> {
  const offer = orderLandings(waiting).slice(0, LANDING_LIMITS.offer)
  const share = Math.min(LANDING_LIMITS.batch, Math.ceil(waiting.length / freeSlots))
  let size = 0
  let limit = share
  for (const { batchLimit } of offer) {
    limit = Math.min(limit, batchLimit)
    if (size >= limit) break
    size += 1
  }
  return { offer, size }
}

/** How many landings may be checked together after a batch of this size has failed. */
export function halvedLimit(batchSize: number): number {
  return Math.max(1, Math.ceil(batchSize / 2))
}
