import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type { CyclePhase } from './cycle.ts'

const ORDER: readonly CyclePhase[] = ['discovery', 'execution', 'convergence', 'update', 'done']

/**
 * The only place a cycle changes phase. Phases follow in order, but a discovery that finds nothing to do may go
 * straight to done: there is nothing to execute, land or record.
 */
export function nextCyclePhase(phase: CyclePhase, to: CyclePhase): Result<CyclePhase, IllegalTransition> {
  const follows = ORDER.indexOf(to) === ORDER.indexOf(phase) + 1
  const skipsEmpty = phase === 'discovery' && to === 'done'
  return follows || skipsEmpty ? success(to) : failure(illegalTransition('cycle', phase, to))
}
