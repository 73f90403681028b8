/** Text to be sent to a session's program, in the order in which it was requested. */
export type SessionInput =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'interrupt' }
  | {
      readonly type: 'decide'
      readonly requestId: string
      readonly decision: { readonly type: 'allow' } | { readonly type: 'deny'; readonly reason: string }
    }
