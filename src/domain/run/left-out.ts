import type { Playbook } from '../playbook/playbook.ts'
import type { FanOut } from '../playbook/stage.ts'
import { findValue } from './run-values.ts'
import { newestEntry } from './seen-visits.ts'
import type { Visit } from './visit.ts'

/** The entries of a list that a stage had no branch for, because it may have only so many. */
export type LeftOut = {
  readonly stage: string
  /** The name of the list: `questions`. */
  readonly what: string
  readonly count: number
  readonly of: number
}

/** What the stages left out when they were last entered. */
export function leftOutIn(
  { stages }: Pick<Playbook, 'stages'>,
  visits: readonly Visit[],
): readonly LeftOut[] {
  return Object.entries(stages).flatMap(([stage, { type, ...rest }]) => {
    const fanOut = type === 'role' && 'fanOut' in rest ? rest.fanOut : undefined
    return fanOut?.type === 'over' ? leftOutBy(stage, fanOut, visits) : []
  })
}

function leftOutBy(
  stage: string,
  { list }: Extract<FanOut, { type: 'over' }>,
  visits: readonly Visit[],
): readonly LeftOut[] {
  const branches = newestEntry(visits, stage).filter(({ branch }) => branch > 0)
  const [first] = branches
  if (first === undefined) return []
  // The list as it was when the stage was entered. Only stages give lists, so the goal and the inputs don't matter.
  const before = visits.filter(({ ordinal }) => ordinal < first.ordinal)
  const items = findValue({ goal: '', inputs: {}, visits: before }, list)
  const of = Array.isArray(items) ? items.length : 0
  const count = of - branches.length
  return count > 0 ? [{ stage, what: list.field ?? 'entries', count, of }] : []
}
