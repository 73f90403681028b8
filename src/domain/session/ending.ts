import { assertNever } from '../assert-never.ts'
import type { SessionEnd } from './session-state.ts'
import type { TurnOutcome } from './turn-outcome.ts'

/** How a session ended, in one word, for people and for statistics. */
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
 * Classifies an end. A program with a protocol reports how its turn ended; if it exits without a report, it crashed,
 * whatever its exit code. For a program without a protocol, the exit code is all there is.
 */
export function endingOf(end: SessionEnd, hasProtocol: boolean): Ending {
  switch (end.type) {
    case 'finished':
      return endingOfTurn(end.turn)
    case 'exited':
      if (hasProtocol) return 'crashed'
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

function endingOfTurn({ type }: TurnOutcome): Ending {
  if (type === 'interrupted') return 'cancelled'
  return type === 'unready' ? 'failed' : type
}
