import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Collected } from '../../ports/hub.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { treeOfAttempt } from './start-attempt.ts'

type Needs = Pick<EngineNeeds, 'hub' | 'settings'>

/** Without a pin nothing may be removed: a failure here is thrown, and the queue tries again. */
export async function pinAttempt(needs: Needs, job: Job, attempt: Attempt): Promise<Collected> {
  const collected = await needs.hub.collect({
    project: job.projectId,
    attemptId: attempt.id,
    directory: treeOfAttempt(needs, attempt.id),
    base: attempt.baseCommit ?? job.baseCommit,
    message: `Work of ${attempt.agent.name} that it had not committed`,
  })
  if (!collected.ok) throw new Error(`attempt ${attempt.id} not pinned: ${JSON.stringify(collected.failure)}`)
  return collected.value
}
