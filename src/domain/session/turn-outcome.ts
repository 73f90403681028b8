/** How one turn of a conversation with an agent ended, as its program told in typed fields. */
export type TurnOutcome =
  /** `text` is the last thing the agent said: its answer. */
  | { readonly type: 'done'; readonly text: string }
  | { readonly type: 'failed'; readonly reason: string }
  /** The model or the program declined to do it. */
  | { readonly type: 'refused'; readonly reason: string }
  /** Out of quota until `resetsAt` (ISO time), or for `resetsInMs` from when it was told, where it was told. */
  | {
      readonly type: 'limited'
      readonly reason: string
      readonly resetsAt?: string
      readonly resetsInMs?: number
    }
  | { readonly type: 'interrupted' }
