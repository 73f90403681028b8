import { assertNever } from '../assert-never.ts'
import { dollars } from '../budget/dollars.ts'
import type { StartLimit } from './limit-order.ts'

/**
 * The first limit that prevents a start: what it allows, and how much of it is in use. For memory: how much must be free,
 * and how much of that is in use.
 */
export type Refusal = {
  readonly limit: StartLimit
  readonly value: number
  readonly inUse: number
  /** In a job's phase, which of the two must run alone: this task, or the one that is running. */
  readonly alone?: 'this' | 'running'
  /** When the limit will be lifted, if that is known (ISO time). */
  readonly until?: string
}

/** A refusal as it is stored with whatever is waiting. */
export type Waiting = Refusal & {
  /** When the wait began (ISO time). Kept when the limit changes, so the longest wait still goes first. */
  readonly since: string
}

/** Why something is waiting, as one line without the time. */
export function describeRefusal({ limit, value, inUse, alone, until }: Refusal): string {
  const running = (noun: string, of: string) =>
    `${inUse} of ${value} ${noun}${value === 1 ? '' : 's'}${of} ${inUse === 1 ? 'is' : 'are'} running`
  switch (limit) {
    case 'role-allowed':
      return "its agent isn't allowed to take this role"
    case 'model-bound':
      return "its agent's model isn't bound to this role"
    case 'global':
      return running('session', '')
    case 'project':
      return running('session', ' of this project')
    case 'phase':
      if (alone === undefined) return running('task', ' of this job')
      if (alone === 'running') return 'a task of this job that must run alone is running'
      return `it must run alone, and ${inUse === 1 ? 'a task of this job is' : `${inUse} tasks of this job are`} running`
    case 'role':
      return running('session', ' of this role')
    case 'model':
      return running('session', ' of this model')
    case 'agent':
      return until === undefined ? running('session', ' of this agent') : 'its agent is out of quota'
    case 'memory':
      return `only ${value - inUse} MB of memory is free; ${value} MB is required`
    case 'budget':
      return `${dollars(inUse)} of the job's budget of ${dollars(value)} is spent or reserved`
    case 'day':
      return `${dollars(inUse)} of today's ${dollars(value)} is spent`
    default:
      return assertNever(limit)
  }
}
