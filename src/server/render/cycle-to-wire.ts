import type { WireCycle } from '../../contract/cycle.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function cycleToWire(cycle: Cycle): WireCycle {
  const { startedAt, completedAt, ...rest } = cycle
  return { ...rest, startedAt: startedAt.toISOString(), ...instantsToWire({ completedAt }) }
}
