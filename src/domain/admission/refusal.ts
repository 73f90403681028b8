import { assertNever } from '../assert-never.ts'
import { dollars } from '../budget/dollars.ts'

/** Every limit on starting an agent's program, in the order in which they are checked. */
export const START_LIMITS = [
  'role-allowed',
  'model-bound',
  'global',
  'project',
  'phase',
  'role',
  'model',
  'agent',
  'memory',
  'budget',
  'day',
] as const

export type StartLimit = (typeof START_LIMITS)[number]

/** The first limit that keeps something from starting: what it allows, and how much of it is in use. */
export type Refusal = {
  readonly limit: StartLimit
  readonly value: number
  readonly inUse: number
  /** When the limit no longer holds, if that is known (ISO time). */
  readonly until?: string
}

/** A refusal as it is stored with what waits. */
export type Waiting = Refusal & {
  /** When it began to wait (ISO time). Kept when the limit changes: the one that waited longest goes first. */
  readonly since: string
}

/** What something waits for, as one line without the time. */
export function describeRefusal({ limit, value, inUse, until }: Refusal): string {
  switch (limit) {
    case 'role-allowed':
      return 'its agent may not take this role'
    case 'model-bound':
      return "its agent's model is not bound to this role"
    case 'global':
      return `${inUse} of ${value} sessions run`
    case 'project':
      return `${inUse} of ${value} sessions of this project run`
    case 'phase':
      return inUse > value
        ? `it must run alone, and ${inUse} tasks of this job run`
        : `${inUse} of ${value} tasks of this job run`
    case 'role':
      return `${inUse} of ${value} sessions of this role run`
    case 'model':
      return `${inUse} of ${value} sessions of this model run`
    case 'agent':
      return until === undefined
        ? `${inUse} of ${value} sessions of this agent run`
        : 'its agent is out of quota'
    case 'memory':
      return `${inUse} MB of memory are free, and ${value} MB are required`
    case 'budget':
      return `${dollars(inUse)} of the job's budget of ${dollars(value)} are spent or reserved`
    case 'day':
      return `${dollars(inUse)} of ${dollars(value)} for today are spent`
    default:
      return assertNever(limit)
  }
}
