import { groupBy } from '../group-by.ts'
import { RUN_LIMITS } from '../limits/run-limits.ts'
import type { Playbook } from './playbook.ts'
import type { Stage } from './stage.ts'
import { edgesOf } from './stage-graph.ts'

type Bounded = Pick<Playbook, 'start' | 'stages' | 'inputs'>

/** Finds a playbook that a stage follows. */
type FindChild = (name: string) => Playbook | undefined

/**
 * The most visits that any run can make. Limited routes divide a run into parts. Each part follows other routes only,
 * and those form no loop, so a part has at most the visits of the longest way from where it starts. A stage that fans
 * out counts once for each of its branches, and one that follows another playbook counts the visits of that one too, if
 * it can be found.
 */
export function visitBound(playbook: Bounded, find: FindChild = () => undefined): number {
  return largestSum(playbook, (stage) => mostBranches(playbook, stage) + visitsWithin(stage, find))
}

/** What a stage adds to a sum, each time that a run enters it. */
export type Weigh = (stage: Stage, name: string) => number

/** The largest sum that any run can come to. */
export function largestSum(playbook: Bounded, weigh: Weigh): number {
  const longest = longestWays(playbook, weigh)
  const parts = Object.values(playbook.stages).flatMap(limitsOf)
  const later = parts.map(({ max, to }) => max * longest(to))
  return later.reduce((sum, part) => sum + part, longest(playbook.start))
}

type Limit = { readonly max: number; readonly to: string }

function limitsOf(stage: Stage): readonly Limit[] {
  if (stage.type === 'choose') return []
  return Object.values(stage.on).flatMap((route) =>
    route.type === 'limited' && route.to.type === 'stage' ? [{ max: route.max, to: route.to.stage }] : [],
  )
}

/** The sum of the longest way from a stage over routes without a limit. */
function longestWays(playbook: Bounded, weigh: Weigh): (stage: string) => number {
  const free = edgesOf(playbook).filter(({ isLimited }) => !isLimited)
  const exits = groupBy(free, ({ from }) => from)
  const known = new Map<string, number>()
  const measure = (name: string): number => {
    const found = known.get(name)
    if (found !== undefined) return found
    // A loop without a limit is an error of its own; here it must only not be followed forever.
    known.set(name, 0)
    const stage = Object.hasOwn(playbook.stages, name) ? playbook.stages[name] : undefined
    if (stage === undefined) return 0
    const further = (exits.get(name) ?? []).map(({ to }) => measure(to))
    const sum = weigh(stage, name) + Math.max(0, ...further)
    known.set(name, sum)
    return sum
  }
  return measure
}

function visitsWithin(stage: Stage, find: FindChild): number {
  const child = stage.type === 'playbook' ? find(stage.playbook) : undefined
  return child === undefined ? 0 : visitBound(child, find)
}

/** The most branches that one visit of a stage can have. */
export function mostBranches(playbook: Pick<Playbook, 'stages' | 'inputs'>, stage: Stage): number {
  if (stage.type === 'checks') return stage.each === undefined ? 1 : widthOfNamed(playbook, stage.each)
  if (stage.type !== 'role' || stage.fanOut === undefined) return 1
  const { fanOut } = stage
  if (fanOut.type === 'over') return fanOut.max
  if (fanOut.type === 'each') return widthOfNamed(playbook, fanOut.stage)
  if (typeof fanOut.count === 'number') return fanOut.count
  const { of, field = '' } = fanOut.count
  const input = of === 'inputs' ? playbook.inputs[field] : undefined
  return input?.type === 'number' ? input.max : RUN_LIMITS.branches
}

function widthOfNamed({ stages, inputs }: Pick<Playbook, 'stages' | 'inputs'>, name: string): number {
  const stage = stages[name]
  const { [name]: _, ...others } = stages
  return stage === undefined ? 1 : mostBranches({ stages: others, inputs }, stage)
}
