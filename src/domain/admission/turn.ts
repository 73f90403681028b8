import type { Priority } from '../task/task.ts'
import { type Admission, admit, type StartRequest, type Usage, withAdmitted } from './admit.ts'

/**
 * Where something stands among what waits to start. First what a person asked for, then by the priority of the
 * task (a job's discovery counts as P1). Within a priority, work that has begun continues before finished work is
 * reviewed, and that comes before new work; among equals the one that has waited longest goes first.
 */
export type Turn = {
  readonly isPersonal: boolean
  readonly priority: Priority
  readonly stage: 'continue' | 'review' | 'begin'
  readonly since: Date
  readonly id: string
}

const STAGES = { continue: 0, review: 1, begin: 2 }

export function compareTurns(one: Turn, other: Turn): number {
  return (
    Number(other.isPersonal) - Number(one.isPersonal) ||
    one.priority.localeCompare(other.priority) ||
    STAGES[one.stage] - STAGES[other.stage] ||
    one.since.getTime() - other.since.getTime() ||
    (one.id < other.id ? -1 : Number(one.id !== other.id))
  )
}

export type Waiter = { readonly turn: Turn; readonly request: StartRequest }

/** Decides on everything that wants to start, each in its turn: nobody takes a place that one before it could use. */
export function admitInTurn<Asking extends Waiter>(
  waiters: readonly Asking[],
  usage: Usage,
): readonly { readonly waiter: Asking; readonly admission: Admission }[] {
  let used = usage
  return [...waiters]
    .sort((one, other) => compareTurns(one.turn, other.turn))
    .map((waiter) => {
      const admission = admit(waiter.request, used)
      if (admission.type === 'admitted') used = withAdmitted(waiter.request, used)
      return { waiter, admission }
    })
}
