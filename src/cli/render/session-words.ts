import type { WireSessionEnd } from '../../client/index.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { elapsed } from './elapsed.ts'
import { safeLine } from './safe-text.ts'

/** How a session ended, in a few words. */
export function sessionEndWords(end: WireSessionEnd): string {
  switch (end.type) {
    case 'exited':
      return `exit ${end.code}`
    case 'signalled':
      return `signal ${end.signal}`
    case 'timed-out':
      return `out of time after ${elapsed(end.afterMs)}`
    case 'cancelled':
    case 'unstarted':
    case 'lost':
      return `${end.type}: ${safeLine(end.reason)}`
    default:
      return assertNever(end)
  }
}
