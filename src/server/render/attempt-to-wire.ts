import type { WireAttempt } from '../../contract/attempt.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { AttemptState } from '../../domain/attempt/attempt-state.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function attemptToWire(attempt: Attempt): WireAttempt {
  const { state, agent, handoffs, createdAt, endedAt, ...rest } = attempt
  return {
    ...rest,
    agent: agent.name,
    provider: agent.provider,
    ...(agent.model === undefined ? {} : { model: agent.model }),
    status: state.type,
    ...stateFields(state),
    handoffs: handoffs.map((note) => ({ ...note })),
    createdAt: createdAt.toISOString(),
    ...instantsToWire({ endedAt }),
  }
}

function stateFields(state: AttemptState): Partial<WireAttempt> {
  if (state.type === 'ended') return { end: state.end, ending: state.ending }
  if (state.type !== 'settled') return {}
  const { outcome } = state
  return { outcome: outcome.type, ...(outcome.type === 'rejected' ? { reason: outcome.reason } : {}) }
}
