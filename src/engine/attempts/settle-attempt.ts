import type { AttemptId } from '../../domain/id.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { isTreeFree } from '../sessions/purposes/attempt.ts'

/** Judges what an ended attempt left, in the way of its role. */
export async function settleAttempt(
  needs: Pick<EngineNeeds, 'store' | 'roles'>,
  attemptId: AttemptId,
): Promise<void> {
  const attempt = await needs.store.read.attempts.find(attemptId)
  const job = attempt === undefined ? undefined : await needs.store.read.jobs.find(attempt.jobId)
  if (job === undefined || attempt?.state.type !== 'ended') return
  // Whoever handed over may still be writing in the tree; its end sends this again.
  if (!(await isTreeFree(needs, attempt))) return
  const role = needs.roles.find(attempt.role)
  if (role === undefined)
    throw new Error(`attempt ${attemptId} has the role ${attempt.role}, which is unknown`)
  await role.settle(job, attempt)
}
