import type { Attempt, AttemptOutcome } from '../../domain/attempt/attempt.ts'
import { nextAttemptState } from '../../domain/attempt/next-attempt-state.ts'
import type { Records } from '../../ports/store/store.ts'

/** Stores the outcome of an attempt, in the transaction that acts on it. The place kept for it is free again. */
export async function storeOutcome(
  records: Records,
  attempt: Attempt,
  outcome: AttemptOutcome,
): Promise<void> {
  const state = nextAttemptState(attempt.state, { type: 'attempt-settle', outcome })
  if (!state.ok) throw new Error(`attempt ${attempt.id} cannot be settled from ${attempt.state.type}`)
  await records.attempts.save(
    { ...attempt, state: state.value },
    {
      audit: {
        actor: 'engine',
        action: 'attempt-settle',
        subject: attempt.id,
        detail: { outcome: outcome.type },
      },
      follow: [{ type: 'attempt-clear', attemptId: attempt.id }, { type: 'admission-wake' }],
    },
  )
}
