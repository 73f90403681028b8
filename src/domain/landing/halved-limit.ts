/** How many may be checked together after a batch of this size has failed. */
export function halvedLimit(batchSize: number): number {
  return Math.max(1, Math.ceil(batchSize / 2))
}
