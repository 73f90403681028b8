import { assertNever } from '../assert-never.ts'
import { isInVain, type Outcome } from '../playbook/outcome.ts'
import type { Stage } from '../playbook/stage.ts'
import { isVisitOpen, outcomeOf, type Visit } from './visit.ts'

type Branch = Pick<Visit, 'state'>

/** The outcome of one entry into a stage, from that of its branches; undefined while one of them is open. */
export function entryOutcome(stage: Stage, branches: readonly Branch[]): Outcome | undefined {
  if (branches.some(isVisitOpen)) return undefined
  switch (stage.type) {
    case 'role':
      return stage.fanOut === undefined ? unlessSkipped(branches) : someOrNone(branches)
    case 'checks':
      return stage.each === undefined ? single(branches) : howMany(branches)
    case 'playbook':
      return unlessSkipped(branches)
    case 'gate':
    case 'choose':
      return single(branches)
    default:
      return assertNever(stage)
  }
}

function single([only]: readonly Branch[]): Outcome | undefined {
  return only === undefined ? undefined : outcomeOf(only)
}

/** A stage that a fork leaves out goes the way of one that failed. */
function unlessSkipped(branches: readonly Branch[]): Outcome | undefined {
  const outcome = single(branches)
  return outcome === 'skipped' ? 'failed' : outcome
}

function someOrNone(branches: readonly Branch[]): Outcome {
  return branches.some((visit) => !isInVain(outcomeOf(visit))) ? 'some' : 'none'
}

function howMany(branches: readonly Branch[]): Outcome {
  const passed = branches.filter((visit) => outcomeOf(visit) === 'pass').length
  if (passed === 0) return 'none'
  return passed === 1 ? 'one' : 'some'
}
