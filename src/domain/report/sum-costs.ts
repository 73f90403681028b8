import { REPORT_LIMITS } from '../limits/report-limits.ts'
import type { Session } from '../session/session.ts'
import { rulesOf } from '../session/session-purpose.ts'
import type { ReportAgent, ReportCost } from './report.ts'

/** The total cost of sessions. Sessions of agents that reported no price are counted, because the sum lacks them. */
export function sumCosts(sessions: readonly Session[]): ReportCost {
  const unpriced = sessions.filter(isUnpriced)
  const total = (part: 'costUsd' | 'inputTokens' | 'outputTokens') =>
    sessions.reduce((sum, session) => sum + session.conversation.usage[part], 0)
  return {
    costUsd: total('costUsd'),
    inputTokens: total('inputTokens'),
    outputTokens: total('outputTokens'),
    unpriced: unpriced.length,
    unpricedSessions: unpriced.slice(0, REPORT_LIMITS.namedSessions).map(({ id }) => id),
  }
}

/** The cost per agent, most expensive first. */
export function sumByAgent(sessions: readonly Session[], now: Date): readonly ReportAgent[] {
  const byAgent = new Map<string, Session[]>()
  for (const session of sessions.filter(isOfAgent)) {
    byAgent.set(session.agentName, [...(byAgent.get(session.agentName) ?? []), session])
  }
  return [...byAgent.entries()]
    .map(([agent, own]) => ({
      agent,
      provider: own[0]?.provider ?? '',
      sessions: own.length,
      durationMs: own.reduce((sum, session) => sum + sessionTime(session, now), 0),
      cost: sumCosts(own),
    }))
    .sort((one, other) => other.cost.costUsd - one.cost.costUsd || other.durationMs - one.durationMs)
    .slice(0, REPORT_LIMITS.listed)
}

/** Checks are the person's own commands and use no tokens. */
function isOfAgent(session: Session): boolean {
  return rulesOf(session).costs
}

function isUnpriced(session: Session): boolean {
  return isOfAgent(session) && session.startedAt !== undefined && session.conversation.usage.costUsd === 0
}

/** How long a session has run, or ran. */
export function sessionTime(session: Session, now: Date): number {
  if (session.startedAt === undefined) return 0
  return Math.max(0, (session.endedAt ?? now).getTime() - session.startedAt.getTime())
}
