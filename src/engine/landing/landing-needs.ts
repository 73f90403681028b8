import type { EngineNeeds } from '../engine-needs.ts'

/** What the merge queue works with. */
export type LandingNeeds = Pick<
  EngineNeeds,
  | 'store'
  | 'trees'
  | 'branches'
  | 'history'
  | 'commits'
  | 'host'
  | 'clock'
  | 'ids'
  | 'crash'
  | 'settings'
  | 'log'
  | 'wakeAt'
>
