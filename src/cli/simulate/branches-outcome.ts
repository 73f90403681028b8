import type { Stage } from '../../domain/playbook/stage.ts'
import { entryOutcome } from '../../domain/run/entry-outcome.ts'
import type { Visit } from '../../domain/run/visit.ts'

/** The outcome of an entry into a stage, from the outcomes of its branches; undefined if none was reported. */
export function branchesOutcome(stage: Stage, outcomes: readonly string[]): string | undefined {
  if (outcomes.length === 0) return undefined
  const settled = outcomes.map((outcome) => ({ state: { type: 'settled', outcome } }) as const)
  return entryOutcome(stage, settled as readonly Pick<Visit, 'state'>[])
}
