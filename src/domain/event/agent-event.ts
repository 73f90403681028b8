import type { TurnOutcome } from '../session/turn-outcome.ts'

/** What an agent program's output means, independent of the program. */
export type AgentEvent =
  /** The program is ready and reported its id for the conversation, which a resume needs. */
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
  /** Usage since the last such event, and how full the context is if the program reports it. */
  | {
      readonly type: 'usage'
      readonly inputTokens: number
      readonly outputTokens: number
      readonly costUsd?: number
      readonly contextTokens?: number
      readonly contextWindow?: number
    }
  /** The program waits for a decision on exactly this; `requestId` is its own id for the question. */
  | {
      readonly type: 'permission-request'
      readonly requestId: string
      readonly tool: string
      readonly input: unknown
      readonly reason?: string
    }
  /** A turn ended: the program waits for the next message, or exits. */
  | { readonly type: 'turn-end'; readonly outcome: TurnOutcome }
  | { readonly type: 'result'; readonly answer: unknown }
  | { readonly type: 'error-output'; readonly text: string }
  /** Output is missing. `mayBeMore`: not all of it could be counted. */
  | { readonly type: 'truncation'; readonly droppedBytes: number; readonly mayBeMore?: boolean | undefined }
