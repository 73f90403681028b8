import { isWithoutResult } from '../playbook/outcome.ts'
import type { Reference } from '../playbook/reference.ts'
import { bestBranch } from './best-branch.ts'
import { lastEntry } from './entries.ts'
import { outcomeOf, type Visit } from './visit.ts'

/** The branches of the newest entry into a stage that has ended, in their order; none if it has not run. */
export function newestEntry(visits: readonly Visit[], stage: string): readonly Visit[] {
  const settled = visits.filter((visit) => visit.stage === stage && visit.state.type === 'settled')
  return lastEntry(settled).toSorted((one, two) => one.branch - two.branch)
}

/** The visits whose results a reference means. */
export function seenVisits(
  visits: readonly Visit[],
  { of, field }: Pick<Reference, 'of' | 'field'>,
): readonly Visit[] {
  const entry = newestEntry(visits, of)
  if (field === 'passed') return entry.filter((visit) => outcomeOf(visit) === 'pass')
  if (field === 'best') return [bestBranch(entry)].filter((visit) => visit !== undefined)
  return entry.filter((visit) => !isWithoutResult(outcomeOf(visit)))
}
