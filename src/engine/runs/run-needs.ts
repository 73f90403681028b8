import type { EngineNeeds } from '../engine-needs.ts'

/** What decisions about a run need. They happen in the transaction that holds the lock of its job. */
export type RunNeeds = Pick<EngineNeeds, 'clock' | 'ids' | 'settings' | 'crash' | 'wakeAt'>
