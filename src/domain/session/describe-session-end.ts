import { assertNever } from '../assert-never.ts'
import type { SessionEnd } from './session-state.ts'

/** One line for people: how a program ended. */
export function describeSessionEnd(end: SessionEnd): string {
  switch (end.type) {
    case 'exited':
      return `exited with code ${end.code}`
    case 'signalled':
      return `was killed by signal ${end.signal}`
    case 'timed-out':
      return `ran longer than ${duration(end.afterMs)} and was stopped`
    case 'cancelled':
      return `was stopped: ${end.reason}`
    case 'unstarted':
      return `could not be started: ${end.reason}`
    case 'lost':
      return `was lost: ${end.reason}`
    default:
      return assertNever(end)
  }
}

function duration(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} seconds` : `${Math.round(ms / 60_000)} minutes`
}
