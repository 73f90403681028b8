import type { TurnOutcome } from './turn-outcome.ts'

export type Usage = {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** What a session has learnt from its program's protocol, and what it has said. One writer: who reads its spools. */
export type Talk = {
  /** The program's own name for the conversation: what a resume needs. */
  readonly providerSessionId?: string
  /** Where the protocol has got to; only the provider can read it. Absent: the program is not spoken to. */
  readonly dialogue?: Readonly<Record<string, unknown>>
  /** What was said last, and the place of its first byte in the input: written again it changes nothing. */
  readonly unsaid: string
  readonly unsaidAt: number
  /** Messages that were said and not answered yet. */
  readonly openTurns: number
  /** How the last turn that ended did so. */
  readonly turn?: TurnOutcome
  readonly usage: Usage
  readonly contextTokens?: number
  readonly contextWindow?: number
  /** It was asked to hand over because its context is nearly full. */
  readonly isAskedToHandOff?: boolean
}

export const NO_TALK: Talk = { unsaid: '', unsaidAt: 0, openTurns: 0, usage: NO_USAGE }
