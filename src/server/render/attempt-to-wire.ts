import type { WireAttempt } from '../../contract/attempt.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { AttemptState } from '../../domain/attempt/attempt-state.ts'
import type { Verdict } from '../../domain/review/verdict.ts'
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
  switch (outcome.type) {
    case 'accepted':
      return { outcome: outcome.type, ...verdictOf(outcome.verdict) }
    case 'rejected':
      return { outcome: outcome.type, reason: outcome.reason }
    case 'cancelled':
      return { outcome: outcome.type }
    default:
      return assertNever(outcome)
  }
}

function verdictOf(verdict: Verdict | undefined): Partial<WireAttempt> {
  if (verdict === undefined) return {}
  return { verdict: { ...verdict, issues: [...verdict.issues], criteria: [...verdict.criteria] } }
}
