import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import { GIVE_UP_AFTER_MS } from '../../domain/limits/retry-limits.ts'
import type { GitFailure } from '../../domain/repository/repository-failure.ts'
import type { Result } from '../../domain/result.ts'
import type { Collected } from '../../ports/working-trees.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { attemptTree } from '../trees/attempt-tree.ts'

type Needs = Pick<EngineNeeds, 'trees' | 'settings'>

/** Pins an attempt's work, committed or not, under a ref of the hub. Only then may its tree be removed. */
export function pinAttempt(needs: Needs, job: Job, attempt: Attempt): Promise<Result<Collected, GitFailure>> {
  return needs.trees.collect({
    project: job.projectId,
    attemptId: attempt.id,
    directory: attemptTree(needs, attempt),
    base: attempt.baseCommit ?? job.baseCommit,
    message: `Uncommitted work of ${attempt.agent.name}`,
    exclude: job.plan.copy ?? [],
  })
}

/** Whether work that could not be pinned is tried again: for a while, unless that can't help. */
export function mayPinLater(
  { clock }: Pick<EngineNeeds, 'clock'>,
  { endedAt, createdAt }: Attempt,
  failed: GitFailure,
): boolean {
  const isPermanent = failed.type === 'git-failed' && failed.isPermanent === true
  const triedMs = clock.now().getTime() - (endedAt ?? createdAt).getTime()
  return triedMs < GIVE_UP_AFTER_MS && !isPermanent
}
