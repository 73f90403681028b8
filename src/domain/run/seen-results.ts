import type { Reference } from '../playbook/reference.ts'
import { candidatesIn, chosenOf } from './run-work.ts'
import { seenVisits } from './seen-visits.ts'
import type { Visit } from './visit.ts'
import { findField } from './visit-answer.ts'

/** One of the results that a reference names, as a visit is shown it. */
export type SeenResult = {
  readonly visit: Visit
  /** Its answer, or the field of it that the reference names. */
  readonly value: unknown
  /** Which of several results of one stage it is, from 1. */
  readonly place?: { readonly number: number; readonly of: number; readonly isChosen?: boolean }
}

/**
 * What a visit is shown for a reference to a stage. Only the visits that were stored as its inputs count, so that the
 * prompt is the same whenever it is built. If the visit also sees the choice of a judge, the results have the numbers
 * that the judge's reason speaks of.
 */
export function seenResults(
  visits: readonly Visit[],
  reader: Pick<Visit, 'inputs'>,
  reference: Pick<Reference, 'of' | 'field'>,
): readonly SeenResult[] {
  const inputs = visits.filter(({ id }) => reader.inputs.includes(id))
  const found = seenVisits(inputs, reference)
  const judged = inputs.find((input) => found.some(({ id }) => chosenOf(input, visits)?.id === id))
  const ordered = judged === undefined ? found : inOrderOf(candidatesIn(judged.inputs, visits), found)
  const chosen = chosenOf(judged, visits)
  return ordered.map((visit, index) => ({
    visit,
    value: shownValue(visit, reference),
    ...(ordered.length === 1 ? {} : { place: placeOf(index, ordered.length, visit.id === chosen?.id) }),
  }))
}

function placeOf(index: number, of: number, isChosen: boolean): NonNullable<SeenResult['place']> {
  return { number: index + 1, of, ...(isChosen ? { isChosen } : {}) }
}

function inOrderOf(ids: readonly Visit['id'][], visits: readonly Visit[]): readonly Visit[] {
  return visits.toSorted((one, two) => ids.indexOf(one.id) - ids.indexOf(two.id))
}

/** `passed` and `best` name visits, not fields of their answers. */
const VISIT_FIELDS: readonly string[] = ['passed', 'best']

function shownValue({ answer }: Visit, { field }: Pick<Reference, 'field'>): unknown {
  return field === undefined || VISIT_FIELDS.includes(field) ? answer : findField(answer, field)
}
