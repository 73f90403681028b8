import type { Playbook } from '../playbook/playbook.ts'
import { routeOf, type Target } from '../playbook/route.ts'

/** How often each limited route was taken, by its name (`review.NEEDS_REVISION`). Counts never decrease. */
export type Counters = Readonly<Record<string, number>>

export type Routed = {
  readonly to: Target
  readonly counters: Counters
  /** The limited route that was not taken because it had been taken often enough. */
  readonly exhausted?: string
}

/**
 * Where a run goes after a stage ended with an outcome. Pure, and total: an outcome that the playbook doesn't know, which
 * its validation excludes, ends the run as failed.
 */
export function routeVisit(
  { stages }: Pick<Playbook, 'stages'>,
  counters: Counters,
  stage: string,
  outcome: string,
): Routed {
  const entered = Object.hasOwn(stages, stage) ? stages[stage] : undefined
  if (entered === undefined) return { to: FAILED, counters }
  if (entered.type === 'choose')
    return { to: entered.cases[Number(outcome)]?.to ?? entered.otherwise, counters }
  const route = routeOf(entered.on, outcome)
  if (route === undefined) return { to: FAILED, counters }
  if (route.type === 'always') return { to: route.to, counters }
  const name = `${stage}.${outcome}`
  const taken = counters[name] ?? 0
  if (taken >= route.max) return { to: route.beyond, counters, exhausted: name }
  return { to: route.to, counters: { ...counters, [name]: taken + 1 } }
}

const FAILED: Target = { type: 'end', end: 'failed' }
