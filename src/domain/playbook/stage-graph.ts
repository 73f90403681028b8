import { groupBy } from '../group-by.ts'
import type { Playbook } from './playbook.ts'
import type { Route, Target } from './route.ts'
import type { Stage } from './stage.ts'

/** One way from a stage to another. */
export type Edge = {
  readonly from: string
  readonly to: string
  /** Whether a counter bounds how often it is taken. */
  readonly isLimited: boolean
  /** Where the playbook writes it, below `stages`. */
  readonly path: readonly (string | number)[]
}

/** Every way from stage to stage. Ends and stages that don't exist are left out. */
export function edgesOf({ stages }: Pick<Playbook, 'stages'>): readonly Edge[] {
  return Object.entries(stages)
    .flatMap(([from, stage]) => exitsOf(stage).map((exit) => ({ ...exit, from })))
    .flatMap(({ target, ...edge }) =>
      target.type === 'stage' && Object.hasOwn(stages, target.stage) ? [{ ...edge, to: target.stage }] : [],
    )
}

export type Exit = Pick<Edge, 'isLimited' | 'path'> & { readonly target: Target }

/** Everywhere that a stage can lead, ends included. */
export function exitsOf(stage: Stage): readonly Exit[] {
  if (stage.type === 'choose') {
    return [
      ...stage.cases.map(({ to }, index) => ({
        target: to,
        isLimited: false,
        path: ['choose', index, 'next'],
      })),
      { target: stage.otherwise, isLimited: false, path: ['else'] },
    ]
  }
  return Object.entries(stage.on).flatMap(([outcome, route]) => exitsOfRoute(['on', outcome], route))
}

function exitsOfRoute(path: readonly string[], route: Route): readonly Exit[] {
  if (route.type === 'always') return [{ target: route.to, isLimited: false, path }]
  return [
    { target: route.to, isLimited: true, path },
    { target: route.beyond, isLimited: false, path: [...path, 'then'] },
  ]
}

/** The stages that can be reached from some stages, those included, without entering the ones to avoid. */
export function reachableFrom(
  edges: readonly Edge[],
  starts: readonly string[],
  avoid: readonly string[] = [],
): ReadonlySet<string> {
  const exits = groupBy(edges, ({ from }) => from)
  const open = starts.filter((stage) => !avoid.includes(stage))
  const seen = new Set(open)
  for (let stage = open.pop(); stage !== undefined; stage = open.pop()) {
    for (const { to } of exits.get(stage) ?? []) {
      if (seen.has(to) || avoid.includes(to)) continue
      seen.add(to)
      open.push(to)
    }
  }
  return seen
}

/** Whether every way from the start to a stage leads through another one. */
export function isAlwaysBefore(
  { start }: Pick<Playbook, 'start'>,
  edges: readonly Edge[],
  earlier: string,
  stage: string,
): boolean {
  if (earlier === stage) return false
  return !reachableFrom(edges, [start], [earlier]).has(stage)
}
