import type { Attempt } from '../attempt/attempt.ts'
import { groupBy } from '../group-by.ts'
import type { AttemptId } from '../id.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { ReportCost } from '../report/report.ts'
import { sessionTime, sumCosts } from '../report/sum-costs.ts'
import type { Session } from '../session/session.ts'
import { attemptIdOf } from '../session/session-purpose.ts'
import type { Run } from './run.ts'
import type { Visit } from './visit.ts'

/** What one role of a playbook did in a run. */
export type RoleSummary = {
  /** Of the run, or of a run within it. */
  readonly playbook: string
  readonly role: string
  /** Those that worked in this role, in the order in which they began. */
  readonly agents: readonly string[]
  readonly visits: number
  /** Attempts, including those that failed. */
  readonly tries: number
  /** How long its sessions ran, added up. */
  readonly durationMs: number
  readonly cost: ReportCost
}

export type RunWithVisits = {
  readonly run: Pick<Run, 'id'>
  readonly playbook: Pick<Playbook, 'name' | 'stages'>
  readonly visits: readonly Visit[]
}

export type RunEffort = {
  /** The attempts of the runs. */
  readonly attempts: readonly Attempt[]
  readonly sessions: readonly Session[]
  readonly now: Date
}

/** The roles of a run and of those within it that have worked. Visits that were taken from another run don't count. */
export function summarizeRoles(runs: readonly RunWithVisits[], effort: RunEffort): readonly RoleSummary[] {
  const sessions = groupBy(effort.sessions, (session) => attemptIdOf(session))
  const byPlaybook = groupBy(runs, ({ playbook }) => playbook.name)
  return [...byPlaybook.entries()].flatMap(([name, own]) =>
    rolesIn(own).map((role) =>
      summarize(name, role, own, { ...effort, sessionsOf: (id) => sessions.get(id) ?? [] }),
    ),
  )
}

type Grouped = Pick<RunEffort, 'attempts' | 'now'> & {
  readonly sessionsOf: (id: AttemptId) => readonly Session[]
}

function summarize(
  playbook: string,
  role: string,
  runs: readonly RunWithVisits[],
  { attempts, sessionsOf, now }: Grouped,
): RoleSummary {
  const visits = runs.flatMap((one) => visitsIn(one, role))
  const ids = new Set<string>(visits.map(({ id }) => id))
  const own = attempts.filter(({ purpose }) => purpose.type === 'visit' && ids.has(purpose.visitId))
  const sessions = own.flatMap(({ id }) => sessionsOf(id))
  return {
    playbook,
    role,
    agents: [...new Set(own.map(({ agent }) => agent.name))],
    visits: visits.length,
    tries: own.length,
    durationMs: sessions.reduce((sum, session) => sum + sessionTime(session, now), 0),
    cost: sumCosts(sessions),
  }
}

/** In the order in which they first worked. */
function rolesIn(runs: readonly RunWithVisits[]): readonly string[] {
  const roles = runs.flatMap(({ playbook, visits }) =>
    visits.flatMap(({ stage: name, taken }) => {
      const stage = playbook.stages[name]
      return taken === undefined && stage?.type === 'role' ? [stage.role] : []
    }),
  )
  return [...new Set(roles)]
}

function visitsIn({ playbook: { stages }, visits }: RunWithVisits, role: string): readonly Visit[] {
  return visits.filter(({ stage: name, taken }) => {
    const stage = stages[name]
    return taken === undefined && stage?.type === 'role' && stage.role === role
  })
}
