import { assertNever } from '../assert-never.ts'
import type { SessionEnd } from './session-state.ts'

/** In one word, for people and programs that count: how it went. */
export type Ending =
  | 'done'
  | 'failed'
  | 'refused'
  | 'limited'
  | 'crashed'
  | 'timed-out'
  | 'cancelled'
  | 'handed-over'

/**
 * Classifies an end. A program that is spoken to tells how its turn ended; should it go without a word, it
 * crashed, whatever its exit code says. Of one that is not, the exit code is all there is.
 */
export function endingOf(end: SessionEnd, isSpokenTo: boolean): Ending {
  switch (end.type) {
    case 'finished':
      return end.turn.type === 'interrupted' ? 'cancelled' : end.turn.type
    case 'exited':
      if (isSpokenTo) return 'crashed'
      return end.code === 0 ? 'done' : 'failed'
    case 'signalled':
    case 'lost':
      return 'crashed'
    case 'unstarted':
    case 'unprepared':
      return 'failed'
    case 'timed-out':
    case 'cancelled':
    case 'handed-over':
      return end.type
    default:
      return assertNever(end)
  }
}
