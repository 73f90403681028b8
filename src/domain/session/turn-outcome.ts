import type { Unready } from '../agent/unready.ts'

/** How one turn of a conversation ended, as the program reported in typed fields. */
export type TurnOutcome =
  /** `text` is the last thing the agent said: its answer. */
  | { readonly type: 'done'; readonly text: string }
  | { readonly type: 'failed'; readonly reason: string }
  /** The model or the program declined to do it. */
  | { readonly type: 'refused'; readonly reason: string }
  /** Out of quota until `resetsAt` (ISO time), or for `resetsInMs` from the report, if either is known. */
  | {
      readonly type: 'limited'
      readonly reason: string
      readonly resetsAt?: string
      readonly resetsInMs?: number
    }
  /** The program can't work until a person has done something. Repeating the turn before would fail again. */
  | ({ readonly type: 'unready' } & Unready)
  | { readonly type: 'interrupted' }
