import type { WireCycle, WireCycleDetail } from '../../contract/cycle.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import type { CycleView } from '../../engine/queries/cycles.ts'
import { instantsToWire } from './instants-to-wire.ts'
import { taskToWire } from './task-to-wire.ts'

export function cycleToWire(cycle: Cycle): WireCycle {
  const { startedAt, completedAt, ...rest } = cycle
  return { ...rest, startedAt: startedAt.toISOString(), ...instantsToWire({ completedAt }) }
}

export function cycleDetailToWire({ cycle, tasks }: CycleView): WireCycleDetail {
  return { ...cycleToWire(cycle), tasks: tasks.map(taskToWire) }
}
