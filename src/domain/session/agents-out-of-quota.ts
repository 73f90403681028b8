import type { Session } from './session.ts'

/** The agents that are out of quota, and until when, according to their parked sessions. */
export function findAgentsOutOfQuota(sessions: readonly Session[], now: Date): ReadonlyMap<string, Date> {
  const limits = new Map<string, Date>()
  for (const { agentName, state } of sessions) {
    if (state.type !== 'suspended' || state.why.type !== 'limited') continue
    const until = new Date(state.why.until)
    const known = limits.get(agentName)
    if (until > now && (known === undefined || until > known)) limits.set(agentName, until)
  }
  return limits
}
