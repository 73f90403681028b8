/** What Muster tells a session by itself. A notice that is still waiting isn't repeated. */
export type Notice = 'messages' | 'handoff-refused'

/** Text to be sent to a session's program, in the order in which it was requested. */
export type SessionInput =
  | { readonly type: 'say'; readonly text: string; readonly notice?: Notice }
  | { readonly type: 'interrupt' }
  | {
      readonly type: 'decide'
      readonly requestId: string
      readonly decision: { readonly type: 'allow' } | { readonly type: 'deny'; readonly reason: string }
    }
