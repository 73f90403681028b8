import type { WireAttempt } from '../../contract/attempt.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { Attempt, AttemptState } from '../../domain/attempt/attempt.ts'
import { attemptRulesOf } from '../../domain/attempt/attempt-purpose.ts'
import type { Verdict } from '../../domain/review/verdict.ts'
import type { Task } from '../../domain/task/task.ts'
import { instantsToWire } from './instants-to-wire.ts'

/** An attempt at a task, or a review of it. */
export function attemptToWire(attempt: Attempt, task: Pick<Task, 'id' | 'cycleId'>): WireAttempt {
  const { purpose, state, agent, handoffs, createdAt, endedAt, ...rest } = attempt
  return {
    ...rest,
    cycleId: task.cycleId,
    taskId: task.id,
    purpose: purpose.type,
    judges: attemptRulesOf(attempt).judges,
    ...(purpose.type === 'visit' ? { runId: purpose.runId, visitId: purpose.visitId } : {}),
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
