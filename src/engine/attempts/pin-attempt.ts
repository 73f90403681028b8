import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Result } from '../../domain/result.ts'
import type { Collected, GitFailure } from '../../ports/hub.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { treeOfAttempt } from '../sessions/workplace.ts'

type Needs = Pick<EngineNeeds, 'hub' | 'settings'>

/** Keeps what an attempt left, committed or not, under a ref of the hub. Without this nothing may be removed. */
export function pinAttempt(needs: Needs, job: Job, attempt: Attempt): Promise<Result<Collected, GitFailure>> {
  return needs.hub.collect({
    project: job.projectId,
    attemptId: attempt.id,
    directory: treeOfAttempt(needs, attempt.id),
    base: attempt.baseCommit ?? job.baseCommit,
    message: `Work of ${attempt.agent.name} that it had not committed`,
    exclude: job.plan.copy ?? [],
  })
}
