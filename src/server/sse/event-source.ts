/** What a stream has to say next. */
export type Portion =
  | { readonly type: 'batch'; readonly text: string; readonly isMore: boolean }
  | { readonly type: 'nothing' }
  /** The last words of a stream that is over. */
  | { readonly type: 'end'; readonly text: string }

/** Gives a stream's messages in order, in portions fit for one write, each once. */
export type EventSource = {
  next(): Promise<Portion>
}
