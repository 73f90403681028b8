import type { Session } from './session.ts'

/**
 * Whether a person can resume a session now: it is suspended, is not being resumed, and has a conversation or never
 * could begin one.
 */
export function canResume({ state, conversation }: Session): boolean {
  if (state.type !== 'suspended' || state.resume !== undefined) return false
  return conversation.providerSessionId !== undefined || state.why.type === 'unready'
}

/** Whether a session can be asked a question: it has a conversation that no program continues at the moment. */
export function canBeAsked({ state, conversation }: Session): boolean {
  const isIdle = state.type === 'suspended' || state.type === 'terminated'
  return isIdle && conversation.providerSessionId !== undefined
}
