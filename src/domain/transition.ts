/** Asked to do what the present state does not allow. The caller learns from where and what. */
export type IllegalTransition = {
  readonly type: 'illegal-transition'
  readonly noun: string
  readonly from: string
  readonly event: string
}

export function illegalTransition(noun: string, from: string, event: string): IllegalTransition {
  return { type: 'illegal-transition', noun, from, event }
}
