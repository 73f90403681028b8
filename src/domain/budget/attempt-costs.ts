import type { Session } from '../session/session.ts'

/** What one attempt has cost so far, over all the sessions that handed it on. */
export type AttemptCost = {
  readonly role: string
  readonly costUsd: number
  /** None of its sessions will cost anything more. */
  readonly isOver: boolean
}

export function attemptCosts(sessions: readonly Session[]): readonly AttemptCost[] {
  const costs = new Map<string, AttemptCost>()
  for (const { purpose, role, state, talk } of sessions) {
    if (purpose.type !== 'attempt') continue
    const before = costs.get(purpose.attemptId)
    costs.set(purpose.attemptId, {
      role,
      costUsd: (before?.costUsd ?? 0) + talk.usage.costUsd,
      isOver: (before?.isOver ?? true) && state.type === 'terminated',
    })
  }
  return [...costs.values()]
}
