import type { Outcome } from '../playbook/outcome.ts'

/** What earlier runs did, added up. Visits that a run took from another one are left out. */
export type RunHistory = {
  /** How many runs of each playbook there were, runs within others included. */
  readonly runs: readonly { readonly playbook: string; readonly count: number }[]
  readonly entries: readonly PastEntries[]
  readonly efforts: readonly PastEffort[]
  /** What the checks of visits took. */
  readonly checks: Omit<PastEffort, 'role' | 'admittedAs' | 'agent' | 'costUsd' | 'pricedVisits'>
}

/** Entries into a stage with the same outcomes of its branches; one outcome if it didn't fan out. */
export type PastEntries = {
  readonly playbook: string
  readonly stage: string
  readonly outcomes: readonly Outcome[]
  readonly count: number
}

/** What visits in a role took. All tries of a visit count. */
export type PastEffort = {
  readonly role: string
  /** The role of the configuration that its agent was chosen for. */
  readonly admittedAs: string
  /** The last agent of the visits. */
  readonly agent: string
  readonly visits: number
  /** How long their programs ran. */
  readonly durationMs: number
  /** Those for which a cost was reported, and its sum. */
  readonly pricedVisits: number
  readonly costUsd: number
}
