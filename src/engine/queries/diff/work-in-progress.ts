import type { Attempt } from '../../../domain/attempt/attempt.ts'
import type { Job } from '../../../domain/job/job.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import type { SnapshotRequest } from '../../../ports/working-trees.ts'
import { describeFailure } from '../../describe-failure.ts'
import { attemptTree } from '../../trees/attempt-tree.ts'
import { treeOf } from '../../trees/tree-of.ts'
import type { DiffFailure, DiffNeeds, DiffRange } from './work-diff.ts'

/** What an agent has done so far in an attempt; undefined if it isn't at work. */
export async function attemptInProgress(
  needs: DiffNeeds,
  subject: string,
  job: Job,
  attempt: Attempt,
): Promise<Result<DiffRange, DiffFailure> | undefined> {
  if (attempt.state.type !== 'running' || attempt.tip !== undefined) return undefined
  return await snapshot(needs, subject, {
    project: job.projectId,
    directory: attemptTree(needs, attempt),
    base: attempt.baseCommit ?? job.baseCommit,
    exclude: job.plan.copy ?? [],
  })
}

/** What has been done so far in a personal session; undefined if it has ended. */
export async function sessionInProgress(
  needs: DiffNeeds,
  { id, state }: Session,
  { projectId, baseCommit, copy = [] }: PurposeOf<'personal'>,
): Promise<Result<DiffRange, DiffFailure> | undefined> {
  if (state.type === 'terminated') return undefined
  return await snapshot(needs, id, {
    project: projectId,
    directory: treeOf(needs, id),
    base: baseCommit,
    exclude: copy,
  })
}

async function snapshot(
  { trees }: DiffNeeds,
  subject: string,
  request: SnapshotRequest,
): Promise<Result<DiffRange, DiffFailure>> {
  const taken = await trees.snapshot(request)
  if (taken.ok) {
    return success({ projectId: request.project, from: request.base, to: taken.value, isInProgress: true })
  }
  const problem = `its work in progress can't be shown (${describeFailure(taken.failure)})`
  return failure({ type: 'no-work', subject, problem })
}
