import type { SessionId } from '../id.ts'

/** Whoever was given a message. */
export type Reader = SessionId | 'person' | 'engine'

/** A message's receipt. */
export type MessageState =
  | { readonly type: 'queued' }
  /** It was given to this reader, who has not said yet that it arrived. */
  | { readonly type: 'delivered'; readonly to: Reader }
  | { readonly type: 'acknowledged'; readonly by: Reader }
  | { readonly type: 'failed'; readonly reason: string }
