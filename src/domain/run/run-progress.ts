import { happyOutcomes } from '../playbook/happy-outcomes.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { routeOf, type Target } from '../playbook/route.ts'
import type { Stage } from '../playbook/stage.ts'
import { routedEntries } from './entries.ts'
import type { Run } from './run.ts'
import type { Visit } from './visit.ts'

type Stages = Pick<Playbook, 'stages'>

/** What stages weigh that have no time limit of their own, compared with the minutes of those that have. */
const WEIGHTS = { checks: 5, gate: 1, choose: 0, playbook: 60 } as const
/** The end has a weight too, so that only a run that has ended is complete. */
const END_WEIGHT = 1

/**
 * How much of a run is done, from 0 to 1: the weight of what has ended, over the weight that is expected in all. A run
 * that goes back to an earlier stage has more left than expected. What is left then fills the rest, and what was
 * reported stays: each visit that ends takes its share of the rest, so the progress never decreases.
 */
export function progressOf(
  playbook: Stages,
  { state }: Pick<Run, 'state'>,
  visits: readonly Visit[],
): number {
  if (state.type === 'ended') return 1
  const left = weightsLeft(playbook)
  let rest = 1
  for (const { visits: entry, stage, routed } of routedEntries(playbook, visits)) {
    const own = weightOf(stage)
    const expected = left({ type: 'stage', stage: entry[0].stage }) - own
    rest *= restAfter(entry, own, { expected, known: routed === undefined ? expected : left(routed.to) })
  }
  return 1 - rest
}

/** The share of the rest that is still left after the branches of an entry that have ended. */
function restAfter(
  entry: readonly Visit[],
  weight: number,
  after: { readonly expected: number; readonly known: number },
): number {
  const each = weight / entry.length
  const ended = entry.filter(({ state }) => state.type === 'settled').length
  let rest = 1
  for (let number = 1; number <= ended; number += 1) {
    const isLast = number === entry.length
    const later = (entry.length - number) * each + (isLast ? after.known : after.expected)
    rest *= later / (each + later)
  }
  return rest
}

function weightOf(stage: Stage): number {
  return stage.type === 'role' ? stage.minutes : WEIGHTS[stage.type]
}

/** The weight of the way from a target to the best end that can be reached without going back. */
function weightsLeft(playbook: Stages): (target: Target) => number {
  const happy = happyOutcomes(playbook)
  const known = new Map<string, number>()
  const measure = (target: Target): number => {
    const stage = target.type === 'end' ? undefined : playbook.stages[target.stage]
    if (target.type === 'end' || stage === undefined) return END_WEIGHT
    const found = known.get(target.stage)
    if (found !== undefined) return found
    // Only ways back form loops, and they are followed no further.
    known.set(target.stage, END_WEIGHT)
    const further = targetsOf(stage, happy[target.stage] ?? '').map(measure)
    const weight = weightOf(stage) + Math.max(END_WEIGHT, ...further)
    known.set(target.stage, weight)
    return weight
  }
  return measure
}

function targetsOf(stage: Stage, outcome: string): readonly Target[] {
  if (stage.type === 'choose') return [stage.otherwise, ...stage.cases.map(({ to }) => to)]
  const route = routeOf(stage.on, outcome)
  return route === undefined ? [] : [route.to]
}
