/** Why a message was not taken or an inbox not opened. */
export type MessageFailure =
  | { readonly type: 'session-over' }
  | {
      readonly type: 'message-too-large'
      readonly part: 'body' | 'metadata'
      readonly bytes: number
      readonly limit: number
    }
  | { readonly type: 'message-empty' }
  | { readonly type: 'too-many-messages'; readonly limit: number }
  | { readonly type: 'recipient-unknown'; readonly recipient: string; readonly known: readonly string[] }
  | { readonly type: 'recipient-gone'; readonly recipient: string }
  | { readonly type: 'message-not-found'; readonly id: string }
  | { readonly type: 'question-answered'; readonly id: string }
  | { readonly type: 'predecessor-absent' }
  | { readonly type: 'skill-not-found'; readonly name: string; readonly known: readonly string[] }
