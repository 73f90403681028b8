import type { Reference } from '../playbook/reference.ts'
import type { Condition } from '../playbook/stage.ts'
import type { Run } from './run.ts'
import { seenVisits } from './seen-visits.ts'
import type { Visit } from './visit.ts'
import { findField } from './visit-answer.ts'

/** What a run knows that conditions and lists refer to. */
export type RunFacts = Pick<Run, 'goal' | 'inputs'> & { readonly visits: readonly Visit[] }

/** The value that a reference names; undefined if its stage has not run or has no such field. */
export function findValue({ goal, inputs, visits }: RunFacts, { of, field }: Reference): unknown {
  if (of === 'goal') return goal
  if (of === 'inputs') return field !== undefined && Object.hasOwn(inputs, field) ? inputs[field] : undefined
  const [first] = seenVisits(visits, { of })
  return field === undefined ? first?.answer : findField(first?.answer, field)
}

/** Whether every field has its value. A field that is missing has none. */
export function holds(facts: RunFacts, condition: Condition): boolean {
  return condition.every(({ field, value }) => findValue(facts, field) === value)
}
