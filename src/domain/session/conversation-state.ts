import type { SetupProgress } from './setup-output.ts'
import type { TurnOutcome } from './turn-outcome.ts'

export type Usage = {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** What a session has learned from its program's output and what it has sent. Only its listener writes it. */
export type ConversationState = {
  /** The program's own id for the conversation, which a resume needs. */
  readonly providerSessionId?: string
  /** The protocol's state, which only the provider can read. Absent if the program has no protocol. */
  readonly dialogue?: Readonly<Record<string, unknown>>
  /** The last input sent, and the offset of its first byte; writing it again changes nothing. */
  readonly lastInput: string
  readonly lastInputAt: number
  /** Messages sent but not answered yet. */
  readonly openTurns: number
  /** Which of the open turns the notice of new messages will be. Absent once that turn begins. */
  readonly noticeTurn?: number
  /** How the last finished turn ended. */
  readonly turn?: TurnOutcome
  readonly usage: Usage
  readonly contextTokens?: number
  readonly contextWindow?: number
  /** It was asked to hand over because its context is nearly full. */
  readonly isAskedToHandOff?: boolean
  /** Absent until this process starts its setup commands, if it has any. */
  readonly setup?: SetupProgress
}

export const NO_CONVERSATION: ConversationState = {
  lastInput: '',
  lastInputAt: 0,
  openTurns: 0,
  usage: NO_USAGE,
}
