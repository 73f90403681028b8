/** The current state does not allow this event. */
export type IllegalTransition = {
  readonly type: 'illegal-transition'
  readonly noun: string
  readonly from: string
  readonly event: string
}

export function illegalTransition(noun: string, from: string, event: string): IllegalTransition {
  return { type: 'illegal-transition', noun, from, event }
}
