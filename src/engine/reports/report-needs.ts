import type { EventFeed } from '../../ports/event-feed.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** What reports and diffs are read with. */
export type ReportNeeds = Pick<
  EngineNeeds,
  'store' | 'branches' | 'history' | 'commits' | 'clock' | 'settings'
> & {
  readonly feed: Pick<EventFeed, 'tail'>
}
