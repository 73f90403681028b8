import type { Attempt } from '../../domain/attempt/attempt.ts'

/** Whether this attempt did work on a task that was found worth reviewing or landing. */
export function isAcceptedWork({ purpose, state }: Attempt): boolean {
  return purpose.type === 'task' && state.type === 'settled' && state.outcome.type === 'accepted'
}
