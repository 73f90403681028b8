import type { Playbook } from '../playbook/playbook.ts'
import type { RunEnd } from '../playbook/route.ts'
import { visitBound } from '../playbook/visit-bound.ts'
import { type Counters, routeVisit } from '../run/route-visit.ts'
import type { StageRates } from './outcome-rates.ts'

export type Expected = {
  /** How often a run enters each stage on average. */
  readonly entries: Readonly<Record<string, number>>
  /** The share of the runs that end there, most frequent first. */
  readonly ends: readonly { readonly end: RunEnd; readonly share: number }[]
}

/** Some of the runs: where they are, and what they have taken so far. */
type Part = { readonly stage: string; readonly counters: Counters; readonly share: number }

/** Parts that are smaller are left out, so that there are never more than ten thousand at once. */
const LEAST_SHARE = 0.0001

/**
 * Follows all runs at once, each part of them with the limited routes that it has taken. No run makes more visits than
 * the bound of the playbook, so neither does this.
 */
export function expectedEntries(playbook: Playbook, rates: Readonly<Record<string, StageRates>>): Expected {
  const entries: Record<string, number> = {}
  const ends = new Map<RunEnd, number>()
  let parts: readonly Part[] = [{ stage: playbook.start, counters: {}, share: 1 }]
  for (let left = visitBound(playbook); left >= 0 && parts.length > 0; left -= 1) {
    const ways = parts.flatMap((part) => waysOf(playbook, rates, part))
    for (const { stage, share } of parts) entries[stage] = (entries[stage] ?? 0) + share
    for (const { to, share } of ways) if (to.type === 'end') ends.set(to.end, (ends.get(to.end) ?? 0) + share)
    parts = merged(ways)
  }
  const shares = [...ends].map(([end, share]) => ({ end, share })).sort((one, two) => two.share - one.share)
  return { entries, ends: shares }
}

function waysOf(
  playbook: Playbook,
  rates: Readonly<Record<string, StageRates>>,
  { stage, counters, share: all }: Part,
) {
  const { outcomes = [] } = rates[stage] ?? {}
  return outcomes.map(({ outcome, share }) => ({
    ...routeVisit(playbook, counters, stage, outcome),
    share: all * share,
  }))
}

/** Runs that are at the same place and have taken the same go on as one part. */
function merged(ways: ReturnType<typeof waysOf>): readonly Part[] {
  const parts = new Map<string, Part>()
  for (const { to, counters, share } of ways) {
    if (to.type === 'end') continue
    const taken = Object.entries(counters).sort(([one], [two]) => one.localeCompare(two))
    const key = JSON.stringify([to.stage, taken])
    parts.set(key, { stage: to.stage, counters, share: share + (parts.get(key)?.share ?? 0) })
  }
  return [...parts.values()].filter(({ share }) => share >= LEAST_SHARE)
}
