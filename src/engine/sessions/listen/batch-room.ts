import type { SpoolRead } from './read-spools.ts'

const BATCH_BYTES = 2 * 1024 * 1024
const BATCH_EVENTS = 8_000

/** How much more fits into a batch. A full batch is stored first, so a flooding session can't hold up the others. */
export type BatchRoom = { isLeft(): boolean; take(read: SpoolRead): void }

export function createBatchRoom(): BatchRoom {
  let bytes = BATCH_BYTES
  let events = BATCH_EVENTS
  return {
    isLeft: () => bytes > 0 && events > 0,
    take({ progress }) {
      if (progress === undefined) return
      bytes -= progress.toOut - progress.fromOut + progress.toErr - progress.fromErr
      events -= progress.events.length
    },
  }
}
