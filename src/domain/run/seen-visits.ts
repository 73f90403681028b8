import { isWithoutResult } from '../playbook/outcome.ts'
import type { Reference } from '../playbook/reference.ts'
import { outcomeOf, type Visit } from './visit.ts'
import { checkAnswerOf } from './visit-answer.ts'

/** The branches of the newest entry into a stage that has ended, in their order; none if it has not run. */
export function newestEntry(visits: readonly Visit[], stage: string): readonly Visit[] {
  const settled = visits.filter((visit) => visit.stage === stage && visit.state.type === 'settled')
  const newest = Math.max(0, ...settled.map(({ ordinal }) => ordinal))
  return settled.filter(({ ordinal }) => ordinal === newest).toSorted((one, two) => one.branch - two.branch)
}

/** The visits whose results a reference means. */
export function seenVisits(
  visits: readonly Visit[],
  { of, field }: Pick<Reference, 'of' | 'field'>,
): readonly Visit[] {
  const entry = newestEntry(visits, of)
  if (field === 'passed') return entry.filter((visit) => outcomeOf(visit) === 'pass')
  if (field === 'best') return bestOf(entry)
  return entry.filter((visit) => !isWithoutResult(outcomeOf(visit)))
}

/** The branch that came closest: the most checks passed, then the smaller change, then the first. */
function bestOf(entry: readonly Visit[]): readonly Visit[] {
  const [best] = entry.toSorted((one, two) => {
    const [first, second] = [checkAnswerOf(one.answer), checkAnswerOf(two.answer)]
    return second.passed - first.passed || first.changedLines - second.changedLines
  })
  return best === undefined ? [] : [best]
}
