import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { AttemptFailure } from '../../domain/attempt/judge-attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { UsableWork } from '../../ports/working-trees.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { attemptTree } from '../trees/attempt-tree.ts'
import { mayPinLater, pinAttempt } from './pin-attempt.ts'

type Needs = Pick<EngineNeeds, 'trees' | 'clock' | 'crash' | 'settings'>

/** Work that can't be used. Nothing is lost: refused work is pinned, and the tree of uncollected work is kept. */
export type FailedWork = {
  readonly type: 'failed'
  readonly cause: Extract<AttemptFailure['cause'], 'refused' | 'uncollected'>
  readonly reason: string
  /** The pinned commit, if the work was refused. */
  readonly tip?: string
}

/**
 * Collects what an ended attempt left in its tree. Throws, so that it is called again, if collecting fails but may still
 * succeed later.
 */
export async function collectWork(
  needs: Needs,
  job: Job,
  attempt: Attempt,
): Promise<UsableWork | FailedWork> {
  const collected = await pinAttempt(needs, job, attempt)
  if (!collected.ok) {
    const problem = describeFailure(collected.failure)
    if (mayPinLater(needs, attempt, collected.failure))
      throw new Error(`attempt ${attempt.id} could not be pinned: ${problem}`)
    const reason = `its work could not be collected (${problem}); it is kept in ${attemptTree(needs, attempt)}`
    return { type: 'failed', cause: 'uncollected', reason }
  }
  needs.crash.reach('attempt-settle.after-collect')
  const work = collected.value
  if (work.type === 'usable') return work
  return { type: 'failed', cause: 'refused', reason: work.reason, tip: work.tip }
}
