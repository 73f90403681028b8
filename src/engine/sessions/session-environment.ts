import type { VisitId } from '../../domain/id.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/**
 * The environment variables of every agent. Nothing else of the daemon's environment gets through, except the agent's
 * own credentials: see `planSpawn`.
 */
export function environmentOf(
  needs: Pick<EngineNeeds, 'settings'>,
  session: Session,
  sessionDirectory: string,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return {
    ...needs.settings.passedEnvironment,
    MUSTER_PROMPT_FILE: promptFileIn(sessionDirectory),
    MUSTER_OUTBOX: outboxIn(sessionDirectory),
    MUSTER_ROLE: session.role,
    MUSTER_JOB_ID: session.jobId ?? '',
    MUSTER_SESSION_ID: session.id,
    MUSTER_URL: needs.settings.daemonUrl(),
    MUSTER_TOKEN: needs.settings.tokenOf(session.id),
    ...more,
  }
}

/** Where in its playbook a program works, if a run needs it. */
export async function environmentOfVisit(
  { visits }: Pick<Records, 'visits'>,
  visitId: VisitId | undefined,
): Promise<Readonly<Record<string, string>>> {
  const visit = visitId === undefined ? undefined : await visits.find(visitId)
  return visit === undefined ? {} : stageEnvironment(visit)
}

export function stageEnvironment({ stage, round, branch }: Pick<Visit, 'stage' | 'round' | 'branch'>) {
  return { MUSTER_STAGE: stage, MUSTER_STAGE_ROUND: String(round), MUSTER_STAGE_BRANCH: String(branch) }
}

export function promptFileIn(sessionDirectory: string): string {
  return `${sessionDirectory}/prompt.md`
}

export function outboxIn(sessionDirectory: string): string {
  return `${sessionDirectory}/outbox`
}
