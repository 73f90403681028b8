import { assertNever } from '../assert-never.ts'
import { outcomesOf } from './outcomes-of.ts'
import type { Playbook } from './playbook.ts'
import { type Route, RUN_ENDS, routeOf, type Target } from './route.ts'
import type { Stage } from './stage.ts'

type Routed = Pick<Playbook, 'stages'>

/** Worse than every end: a route that leads back. */
const BACK = RUN_ENDS.length

/**
 * For each stage, the outcome with which a run gets to the best end that it can reach without going back. A stage that
 * chooses has no outcome of its own. Of several outcomes that lead equally far, the one that means the most success counts.
 */
export function happyOutcomes(playbook: Routed): Readonly<Record<string, string>> {
  const best = bestEnds(playbook)
  const happy = Object.entries(playbook.stages).flatMap(([name, stage]) => {
    const [first] = outcomesOf(stage)
      .map((outcome) => ({ outcome, rank: rankOf(stage, outcome, best) }))
      .sort((one, two) => one.rank - two.rank)
    return first === undefined ? [] : [[name, first.outcome] as const]
  })
  return Object.fromEntries(happy)
}

type Best = (target: Target) => number

function bestEnds({ stages }: Routed): Best {
  const known = new Map<string, number>()
  const best: Best = (target) => {
    if (target.type === 'end') return RUN_ENDS.indexOf(target.end)
    const found = known.get(target.stage)
    if (found !== undefined) return found
    // Routes without a limit form no loop, so this is only read if the playbook is invalid.
    known.set(target.stage, BACK)
    const stage = Object.hasOwn(stages, target.stage) ? stages[target.stage] : undefined
    const rank = stage === undefined ? BACK : bestOf(stage, best)
    known.set(target.stage, rank)
    return rank
  }
  return best
}

function bestOf(stage: Stage, best: Best): number {
  switch (stage.type) {
    case 'choose':
      return Math.min(best(stage.otherwise), ...stage.cases.map(({ to }) => best(to)))
    case 'role':
    case 'checks':
    case 'gate':
    case 'playbook':
      return Math.min(...outcomesOf(stage).map((outcome) => rankOf(stage, outcome, best)))
    default:
      return assertNever(stage)
  }
}

function rankOf(stage: Stage, outcome: string, best: Best): number {
  const route = stage.type === 'choose' ? undefined : routeOf(stage.on, outcome)
  return route === undefined ? BACK : rankOfRoute(route, best)
}

function rankOfRoute(route: Route, best: Best): number {
  return route.type === 'limited' ? BACK : best(route.to)
}
