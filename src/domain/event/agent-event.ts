/** What an agent program's output means to us, whichever program it is. */
export type AgentEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool-result'; readonly name: string; readonly output: unknown }
  | {
      readonly type: 'usage'
      readonly inputTokens: number
      readonly outputTokens: number
      readonly costUsd?: number
    }
  | { readonly type: 'result'; readonly answer: unknown }
  | { readonly type: 'error-output'; readonly text: string }
  /** Output was cut: the host's cap was reached or one line was too long. */
  | { readonly type: 'truncation'; readonly droppedBytes: number }
