import type { WirePlaybook } from '../../../client/index.ts'
import { exitsOf } from '../../../domain/playbook/stage-graph.ts'

/** The stages in the order in which a run meets them: each after those that lead to it, except for ways back. */
export function stageOrder({ start, stages }: Pick<WirePlaybook, 'start' | 'stages'>): readonly string[] {
  const seen = new Set<string>()
  const order: string[] = []
  const enter = (name: string) => {
    const stage = stages[name]
    if (stage === undefined || seen.has(name)) return
    seen.add(name)
    // The last exits first, because the order is built from its end.
    for (const { target } of exitsOf(stage).toReversed()) if (target.type === 'stage') enter(target.stage)
    order.unshift(name)
  }
  enter(start)
  return order
}
