import type { MusterClient, WireAttempt, WireRun } from '../../client/index.ts'
import { type RolesOfRun, withChildren } from './find-role.ts'

/** The visit that a session of a role works on. */
export type RoleVisit = {
  readonly stage: string
  readonly round: number
  readonly branch: number
}

type Client = Pick<MusterClient, 'getTask' | 'getRun'>

/** The sessions of a role in a run, or of all its roles, with what they worked on. It asks the daemon again about sessions it doesn't know. */
export interface RoleSessions {
  visitOf(sessionId: string): Promise<RoleVisit | undefined>
  all(): Promise<ReadonlyMap<string, RoleVisit>>
}

export function createRoleSessions(client: () => Client, { run, role }: RolesOfRun): RoleSessions {
  const others = new Set<string>()
  let known: ReadonlyMap<string, RoleVisit> = new Map()
  const read = async () => {
    const [current, task] = await Promise.all([client().getRun(run.id), client().getTask(run.taskId)])
    if (current.ok && task.ok) known = sessionsOf(current.value, task.value.attempts, role)
    return known
  }
  return {
    all: read,
    async visitOf(sessionId) {
      if (known.has(sessionId) || others.has(sessionId)) return known.get(sessionId)
      const found = (await read()).get(sessionId)
      if (found === undefined) others.add(sessionId)
      return found
    },
  }
}

function sessionsOf(
  run: WireRun,
  attempts: readonly WireAttempt[],
  role: string | undefined,
): ReadonlyMap<string, RoleVisit> {
  const visits = new Map(
    withChildren(run).flatMap((one) => one.visits.map((visit) => [visit.id, visit] as const)),
  )
  return new Map(
    attempts.flatMap((attempt) => {
      const visit = visits.get(attempt.visitId ?? '')
      if (visit === undefined || (role !== undefined && attempt.role !== role)) return []
      const { stage, round, branch } = visit
      const handed = attempt.handoffs.flatMap(({ from, to }) => [from, to])
      return [attempt.sessionId, ...handed].map((id) => [id, { stage, round, branch }] as const)
    }),
  )
}
