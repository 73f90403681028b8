import type { Attempt } from '../../domain/attempt/attempt.ts'

/** Whether this is a worker's attempt that was found worth reviewing or landing. */
export function isAcceptedWork({ role, state }: Attempt): boolean {
  return role === 'worker' && state.type === 'settled' && state.outcome.type === 'accepted'
}
