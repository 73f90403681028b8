import { happyOutcomes } from '../playbook/happy-outcomes.ts'
import type { Outcome } from '../playbook/outcome.ts'
import { outcomesOf } from '../playbook/outcomes-of.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { Stage } from '../playbook/stage.ts'
import { entryOutcome } from '../run/entry-outcome.ts'
import type { RunInputs } from '../run/run.ts'
import type { RunHistory } from './run-history.ts'
import { outcomesLeft } from './with-inputs.ts'

/** How often entries into a stage ended with an outcome. Without earlier ones, the best outcome is assumed. */
export type StageRates = {
  /** The shares add up to 1. */
  readonly outcomes: readonly { readonly outcome: string; readonly share: number }[]
  /** `inputs`: only one outcome is possible. */
  readonly from: 'runs' | 'inputs' | 'assumption'
  /** The branches of an entry on average; absent if there was none. */
  readonly branches?: number
}

/** The rates of every stage of a playbook. */
export function outcomeRates(
  playbook: Playbook,
  { entries }: Pick<RunHistory, 'entries'>,
  given: RunInputs,
): Readonly<Record<string, StageRates>> {
  const happy = happyOutcomes(playbook)
  const own = entries.filter((entry) => entry.playbook === playbook.name)
  const rates = Object.entries(playbook.stages).map(([name, stage]) => {
    const past = own.filter((entry) => entry.stage === name)
    return [name, ratesOf(stage, past, given, happy[name])] as const
  })
  return Object.fromEntries(rates)
}

type Past = RunHistory['entries']

function ratesOf(stage: Stage, past: Past, given: RunInputs, happy: string | undefined): StageRates {
  const possible = outcomesLeft(stage, given) ?? outcomesOf(stage)
  const [only] = possible
  if (only !== undefined && possible.length === 1)
    return { outcomes: [{ outcome: only, share: 1 }], from: 'inputs' }
  const counted = possible.map((outcome) => ({ outcome, count: countOf(stage, past, outcome) }))
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) {
    const assumed = happy !== undefined && possible.includes(happy) ? happy : (possible.at(-1) ?? 'failed')
    return { outcomes: [{ outcome: assumed, share: 1 }], from: 'assumption' }
  }
  const outcomes = counted
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => ({ outcome, share: count / total }))
  return { outcomes, from: 'runs', branches: meanBranches(past) }
}

function countOf(stage: Stage, past: Past, outcome: string): number {
  return past
    .filter(({ outcomes }) => entryOutcome(stage, outcomes.map(settled)) === outcome)
    .reduce((sum, { count }) => sum + count, 0)
}

function settled(outcome: Outcome) {
  return { state: { type: 'settled' as const, outcome } }
}

function meanBranches(past: Past): number {
  const entries = past.reduce((sum, { count }) => sum + count, 0)
  return past.reduce((sum, { outcomes, count }) => sum + outcomes.length * count, 0) / entries
}
