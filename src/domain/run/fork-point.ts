import { closestWord } from '../closest-word.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { isComplete } from '../playbook/route.ts'
import { failure, type Result, success } from '../result.ts'
import { lastEntry, newestOrdinal } from './entries.ts'
import type { Run } from './run.ts'
import { outcomeOf, type Visit } from './visit.ts'

/** The entry that a person names by its number, or by its stage, of which the latest is meant. */
export function findEntry(visits: readonly Visit[], text: string): Result<number, string> {
  const isNumber = /^\d{1,6}$/.test(text)
  const found = visits.findLast(({ ordinal, stage }) =>
    isNumber ? ordinal === Number(text) : stage === text,
  )
  if (found !== undefined) return success(found.ordinal)
  const newest = newestOrdinal(visits)
  if (isNumber) return failure(`the run has no visit ${text}; its visits are 1 to ${newest}`)
  const stages = [...new Set(visits.map(({ stage }) => stage))]
  const meant = closestWord(text, stages)
  const instead = meant === undefined ? `it has been in ${stages.join(', ')}` : `did you mean "${meant}"?`
  return failure(`the run has not been in a stage "${text}"; ${instead}`)
}

export type ResumeProblem = 'complete' | 'decided'

/**
 * The entry at which a run that was stopped, or that lost its agent, can continue: the one that was cancelled or that
 * failed. `complete`: it has nothing left to do. `decided`: it ended as its playbook says, so only a fork could change it.
 */
export function findResumeEntry(
  { state }: Pick<Run, 'state'>,
  visits: readonly Visit[],
): Result<number, ResumeProblem> {
  const newest = newestOrdinal(visits)
  if (state.type === 'ended' && isComplete(state.end)) return failure('complete')
  if (state.type === 'cancelled') return success(Math.max(1, newest))
  return lastEntry(visits).some((visit) => outcomeOf(visit) === 'failed')
    ? success(newest)
    : failure('decided')
}

/** Where a fork could lead to another end. A choice, and checks of the same work, end the same way again. */
export function findForkable(
  { stages }: Pick<Playbook, 'stages'>,
  visits: readonly Visit[],
): Visit | undefined {
  const isOpen = (visit: Visit) => {
    const type = stages[visit.stage]?.type
    return (type === 'role' || type === 'gate' || type === 'playbook') && outcomeOf(visit) !== 'skipped'
  }
  return visits.findLast(isOpen) ?? visits.at(-1)
}
