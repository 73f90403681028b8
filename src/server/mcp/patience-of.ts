import type { Patience } from '../../engine/messages/wait-for.ts'

/** How long a caller wants to wait, unless it disconnects; undefined for not at all. */
export function patienceOf(seconds: number | undefined, signal: AbortSignal): Patience | undefined {
  return seconds === undefined || seconds <= 0 ? undefined : { waitMs: seconds * 1000, signal }
}
