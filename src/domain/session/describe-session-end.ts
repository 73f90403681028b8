import { describeUnready } from '../agent/unready.ts'
import { assertNever } from '../assert-never.ts'
import type { SessionEnd } from './session-state.ts'
import type { TurnOutcome } from './turn-outcome.ts'

/** The same as a sentence about whoever ran in the session. A failed setup needs no subject: nothing ran. */
export function describeEndOf(subject: string, end: SessionEnd): string {
  return end.type === 'unprepared' ? describeSessionEnd(end) : `${subject} ${describeSessionEnd(end)}`
}

/** How a session ended, as one line for people. */
export function describeSessionEnd(end: SessionEnd): string {
  switch (end.type) {
    case 'exited':
      return `exited with code ${end.code}`
    case 'signalled':
      return `was killed by signal ${end.signal}`
    case 'finished':
      return describeTurn(end.turn)
    case 'handed-over':
      return `handed over to ${end.to}: ${end.reason}`
    case 'timed-out':
      return `ran longer than ${duration(end.afterMs)} and was stopped`
    case 'cancelled':
      return end.reason === undefined ? 'was stopped' : `was stopped: ${end.reason}`
    case 'unstarted':
      return `could not be started: ${end.reason}`
    case 'unprepared':
      return `setup command "${end.command}" failed with status ${end.code}`
    case 'lost':
      return `was lost: ${end.reason}`
    default:
      return assertNever(end)
  }
}

export function describeTurn(turn: TurnOutcome): string {
  switch (turn.type) {
    case 'done':
      return 'said it was done'
    case 'failed':
      return `failed: ${turn.reason}`
    case 'refused':
      return `refused: ${turn.reason}`
    case 'unready':
      return `failed: ${describeUnready(turn)}`
    case 'limited':
      return `is out of quota: ${turn.reason}`
    case 'interrupted':
      return 'was interrupted'
    default:
      return assertNever(turn)
  }
}

function duration(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} seconds` : `${Math.round(ms / 60_000)} minutes`
}
