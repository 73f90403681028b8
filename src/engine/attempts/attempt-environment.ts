import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** What every agent is told about where and who it is; nothing else of the daemon's environment gets through. */
export function environmentOf(
  needs: Pick<EngineNeeds, 'settings'>,
  attempt: Attempt,
  cycle: number,
  sessionDirectory: string,
): Readonly<Record<string, string>> {
  return {
    ...needs.settings.passedEnvironment,
    MUSTER_PROMPT_FILE: promptFileIn(sessionDirectory),
    MUSTER_OUTBOX: `${sessionDirectory}/outbox`,
    MUSTER_ROLE: attempt.role,
    MUSTER_JOB_ID: attempt.jobId,
    MUSTER_CYCLE: String(cycle),
    MUSTER_TASK_ID: attempt.taskId ?? '',
    MUSTER_ATTEMPT: String(attempt.number),
    MUSTER_SESSION_ID: attempt.sessionId,
    MUSTER_URL: needs.settings.daemonUrl(),
    MUSTER_TOKEN: needs.settings.tokenOf(attempt.sessionId),
  }
}

export function promptFileIn(sessionDirectory: string): string {
  return `${sessionDirectory}/prompt.md`
}
