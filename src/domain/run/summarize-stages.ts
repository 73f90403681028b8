import { groupBy } from '../group-by.ts'
import type { Outcome } from '../playbook/outcome.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { describeTarget } from '../playbook/route.ts'
import { entriesOf } from './entries.ts'
import { entryOutcome } from './entry-outcome.ts'
import { routeVisit } from './route-visit.ts'
import type { Visit } from './visit.ts'

/** What happened in one stage of a run. */
export type StageSummary = {
  readonly stage: string
  /** Branches count one by one. */
  readonly visits: number
  /** One for each entry that has ended, oldest first. */
  readonly outcomes: readonly Outcome[]
  /** Of a stage that only chooses a route: where each of its entries led. */
  readonly chosen?: readonly string[]
  /** From the beginning to the end of its entries, added up. */
  readonly durationMs: number
}

/** The stages that a run has been in, in the order in which it first entered them. */
export function summarizeStages(
  { stages }: Pick<Playbook, 'stages'>,
  visits: readonly Visit[],
  now: Date,
): readonly StageSummary[] {
  return [...groupBy(visits, ({ stage }) => stage).entries()].map(([name, own]) => {
    const stage = stages[name]
    const entries = entriesOf(own)
    const outcomes = entries.flatMap((entry) =>
      stage === undefined ? [] : (entryOutcome(stage, entry) ?? []),
    )
    const chosen = outcomes.map((outcome) => describeTarget(routeVisit({ stages }, {}, name, outcome).to))
    return {
      stage: name,
      visits: own.length,
      outcomes,
      ...(stage?.type === 'choose' ? { chosen } : {}),
      durationMs: entries.reduce((sum, entry) => sum + timeOf(entry, now), 0),
    }
  })
}

/** From when its first branch began until its last one ended. What was taken from another run took no time. */
function timeOf(entry: readonly Visit[], now: Date): number {
  const own = entry.filter(({ taken }) => taken === undefined)
  if (own.length === 0) return 0
  const begun = Math.min(...own.map(({ createdAt }) => createdAt.getTime()))
  const ended = Math.max(...own.map(({ endedAt }) => (endedAt ?? now).getTime()))
  return Math.max(0, ended - begun)
}
