import { assertNever } from '../assert-never.ts'
import type { Stage } from '../playbook/stage.ts'
import { isVisitOpen, outcomeOf, type Visit } from './visit.ts'

type Branch = Pick<Visit, 'state'>

/** The outcome of one entry into a stage, from that of its branches; undefined while one of them is open. */
export function entryOutcome(stage: Stage, branches: readonly Branch[]): string | undefined {
  if (branches.some(isVisitOpen)) return undefined
  switch (stage.type) {
    case 'role':
      return stage.fanOut === undefined ? single(branches) : someOrNone(branches)
    case 'checks':
      return stage.each === undefined ? single(branches) : howMany(branches)
    case 'gate':
    case 'choose':
    case 'playbook':
      return single(branches)
    default:
      return assertNever(stage)
  }
}

function single([only]: readonly Branch[]): string | undefined {
  return only === undefined ? undefined : outcomeOf(only)
}

function someOrNone(branches: readonly Branch[]): string {
  return branches.some((visit) => outcomeOf(visit) !== 'failed') ? 'some' : 'none'
}

function howMany(branches: readonly Branch[]): string {
  const passed = branches.filter((visit) => outcomeOf(visit) === 'pass').length
  if (passed === 0) return 'none'
  return passed === 1 ? 'one' : 'some'
}
