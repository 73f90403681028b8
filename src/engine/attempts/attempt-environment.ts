import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'settings' | 'store'>

/** What every agent is told about where and who it is; nothing else of the daemon's environment gets through. */
export async function environmentOf(
  needs: Needs,
  job: Job,
  attempt: Attempt,
  sessionDirectory: string,
): Promise<Readonly<Record<string, string>>> {
  const cycle = await needs.store.read.cycles.find(attempt.cycleId)
  return {
    ...needs.settings.passedEnvironment,
    MUSTER_PROMPT_FILE: `${sessionDirectory}/prompt.md`,
    MUSTER_OUTBOX: `${sessionDirectory}/outbox`,
    MUSTER_ROLE: attempt.role,
    MUSTER_JOB_ID: job.id,
    MUSTER_CYCLE: String(cycle?.number ?? job.currentCycle),
    MUSTER_TASK_ID: attempt.taskId ?? '',
    MUSTER_ATTEMPT: String(attempt.number),
    MUSTER_SESSION_ID: attempt.sessionId,
    MUSTER_URL: needs.settings.daemonUrl(),
    MUSTER_TOKEN: needs.settings.tokenOf(attempt.sessionId),
  }
}
