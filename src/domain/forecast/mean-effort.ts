import type { PlaybookRole } from '../playbook/playbook.ts'
import type { PastEffort, RunHistory } from './run-history.ts'

/** What one visit took on average. A field is absent if no earlier visit says. */
export type MeanEffort = {
  readonly visits: number
  readonly durationMs?: number
  readonly costUsd?: number
}

export type RoleEffort = MeanEffort & {
  /** Whose visits these are: those in a role of this name, or those of agents that can take the role. */
  readonly from: 'role' | 'agents' | 'nothing'
}

/** What a visit in a role takes, from earlier visits in a role of this name, or else from those of its agents. */
export function roleEffort(
  name: string,
  { agents }: Pick<PlaybookRole, 'agents'>,
  { efforts }: Pick<RunHistory, 'efforts'>,
): RoleEffort {
  const ofRole = efforts.filter(({ role }) => role === name)
  if (ofRole.length > 0) return { ...meanOf(ofRole), from: 'role' }
  const ofAgents = efforts.filter(
    ({ agent, admittedAs }) => agents.includes(agent) || agents.includes(admittedAs),
  )
  if (ofAgents.length > 0) return { ...meanOf(ofAgents), from: 'agents' }
  return { visits: 0, from: 'nothing' }
}

export function checksEffort({ checks: { visits, durationMs } }: Pick<RunHistory, 'checks'>): MeanEffort {
  return visits === 0 ? { visits } : { visits, durationMs: durationMs / visits, costUsd: 0 }
}

function meanOf(efforts: readonly PastEffort[]): MeanEffort {
  const total = (part: 'visits' | 'durationMs' | 'pricedVisits' | 'costUsd') =>
    efforts.reduce((sum, effort) => sum + effort[part], 0)
  const visits = total('visits')
  const priced = total('pricedVisits')
  return {
    visits,
    durationMs: total('durationMs') / visits,
    ...(priced === 0 ? {} : { costUsd: total('costUsd') / priced }),
  }
}
