import type { Session } from '../session/session.ts'
import { attemptIdOf } from '../session/session-purpose.ts'

/** What one attempt has cost so far, including sessions that handed it over. */
export type AttemptCost = {
  readonly role: string
  readonly costUsd: number
  /** None of its sessions will cost anything more. */
  readonly isFinished: boolean
}

export function attemptCosts(sessions: readonly Session[]): readonly AttemptCost[] {
  const costs = new Map<string, AttemptCost>()
  for (const session of sessions) {
    const { role, state, conversation } = session
    const attemptId = attemptIdOf(session)
    if (attemptId === undefined) continue
    const before = costs.get(attemptId)
    costs.set(attemptId, {
      role,
      costUsd: (before?.costUsd ?? 0) + conversation.usage.costUsd,
      isFinished: (before?.isFinished ?? true) && state.type === 'terminated',
    })
  }
  return [...costs.values()]
}
