import type { Playbook } from '../playbook/playbook.ts'
import { isComplete, type RunEnd, type Target } from '../playbook/route.ts'
import type { Stage } from '../playbook/stage.ts'
import { exitsOf } from '../playbook/stage-graph.ts'
import type { Weigh } from '../playbook/visit-bound.ts'

type Routed = Pick<Playbook, 'start' | 'stages'>

/** The smallest sum with which a run gets to a finished result, or to any end if none of its ends is finished. */
export function shortestSum(playbook: Routed, weigh: Weigh): number {
  const finished = shortestTo(playbook, weigh, isComplete)
  return Number.isFinite(finished) ? finished : shortestTo(playbook, weigh, () => true)
}

/** A shortest way enters each stage once at most, so after as many rounds as there are stages, nothing gets shorter. */
function shortestTo({ start, stages }: Routed, weigh: Weigh, counts: (end: RunEnd) => boolean): number {
  const sums = new Map<string, number>()
  const after = (target: Target): number => {
    if (target.type === 'end') return counts(target.end) ? 0 : Number.POSITIVE_INFINITY
    return sums.get(target.stage) ?? Number.POSITIVE_INFINITY
  }
  const all = Object.entries(stages)
  for (const _ of all)
    for (const [name, stage] of all)
      sums.set(name, weigh(stage, name) + Math.min(...targetsOf(stage).map(after)))
  return sums.get(start) ?? Number.POSITIVE_INFINITY
}

function targetsOf(stage: Stage): readonly Target[] {
  return exitsOf(stage).map(({ target }) => target)
}
