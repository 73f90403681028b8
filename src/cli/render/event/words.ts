import type { Tone } from '../text/paint.ts'

/** `verbose` adds what matters only when someone investigates a problem. */
export type Detail = 'normal' | 'verbose'

/** What an event says to people. */
export type Words = {
  readonly tone: Tone
  readonly text: string
  readonly from?: Detail
  /** More lines about it, such as output. */
  readonly lines?: readonly string[]
  /** What to do about it: lines with commands. */
  readonly next?: readonly string[]
  /** The command that shows more about it. */
  readonly see?: string
}
