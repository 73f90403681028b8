import { RUN_LIMITS } from '../limits/run-limits.ts'
import type { Playbook } from './playbook.ts'
import type { Stage } from './stage.ts'

/**
 * The most visits that any run can make. Between two uses of limited routes, a run enters each stage at most once,
 * because the other routes form no loop. A stage that fans out counts once for each of its branches.
 */
export function visitBound(playbook: Pick<Playbook, 'stages' | 'inputs'>): number {
  const stages = Object.values(playbook.stages)
  const uses = stages.flatMap(limitsOf).reduce((sum, max) => sum + max, 0)
  const widths = stages.map((stage) => widthOf(playbook, stage)).reduce((sum, width) => sum + width, 0)
  return (uses + 1) * widths
}

function limitsOf(stage: Stage): readonly number[] {
  if (stage.type === 'choose') return []
  return Object.values(stage.on).flatMap((route) => (route.type === 'limited' ? [route.max] : []))
}

/** The most branches that one visit of a stage can have. */
function widthOf(playbook: Pick<Playbook, 'stages' | 'inputs'>, stage: Stage): number {
  if (stage.type === 'checks') return stage.each === undefined ? 1 : widthOfNamed(playbook, stage.each)
  if (stage.type !== 'role' || stage.fanOut === undefined) return 1
  const { fanOut } = stage
  if (fanOut.type === 'over') return fanOut.max
  if (fanOut.type === 'each') return widthOfNamed(playbook, fanOut.stage)
  if (typeof fanOut.count === 'number') return fanOut.count
  const input = playbook.inputs[fanOut.count.field ?? '']
  return input?.type === 'number' ? input.max : RUN_LIMITS.branches
}

function widthOfNamed({ stages, inputs }: Pick<Playbook, 'stages' | 'inputs'>, name: string): number {
  const stage = stages[name]
  const { [name]: _, ...others } = stages
  return stage === undefined ? 1 : widthOf({ stages: others, inputs }, stage)
}
