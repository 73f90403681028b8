import type { TurnOutcome } from '../session/turn-outcome.ts'

/** What an agent program's output means to us, whichever program it is. */
export type AgentEvent =
  /** The program is ready and has told its own name for the conversation: what a later resume needs. */
  | { readonly type: 'session'; readonly providerSessionId: string; readonly model?: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  | { readonly type: 'tool-call'; readonly name: string; readonly input: unknown; readonly callId?: string }
  | {
      readonly type: 'tool-result'
      readonly name: string
      readonly output: unknown
      readonly callId?: string
      readonly failed?: boolean
    }
  /** What was used since the last such event, and how full the context is where the program tells. */
  | {
      readonly type: 'usage'
      readonly inputTokens: number
      readonly outputTokens: number
      readonly costUsd?: number
      readonly contextTokens?: number
      readonly contextWindow?: number
    }
  /** The program waits for a decision on exactly this; `requestId` is its own name for the question. */
  | {
      readonly type: 'permission-request'
      readonly requestId: string
      readonly tool: string
      readonly input: unknown
      readonly reason?: string
    }
  /** A turn is over: the program waits for the next message, or ends. */
  | { readonly type: 'turn-end'; readonly outcome: TurnOutcome }
  | { readonly type: 'result'; readonly answer: unknown }
  | { readonly type: 'error-output'; readonly text: string }
  /** Output was cut: the host's cap was reached or one line was too long. */
  | { readonly type: 'truncation'; readonly droppedBytes: number }
