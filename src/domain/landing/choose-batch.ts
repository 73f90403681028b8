import { LANDING_LIMITS } from '../limits/landing-limits.ts'
import { orderLandings, type WaitingLanding } from './order-landings.ts'

/** Landings in the order in which they should land, and how many of them go into the next candidate. */
export type BatchChoice<Entry extends WaitingLanding> = {
  readonly offer: readonly Entry[]
  readonly size: number
}

/**
 * Chooses the landings for the next candidate. If several candidates can be checked at once, each takes a share, which
 * finds culprits sooner; otherwise one takes all. A landing that was in a failed batch limits the size of the next.
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
