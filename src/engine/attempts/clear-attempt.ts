import type { AttemptId } from '../../domain/id.ts'
import { attemptIdOf } from '../../domain/session/session-purpose.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { removeHosts } from '../sessions/end/remove-hosts.ts'
import { isAnyAsked } from '../sessions/purposes/is-asked.ts'
import { treeOf } from '../trees/tree-of.ts'
import { pinAttempt } from './pin-attempt.ts'

type Needs = Pick<EngineNeeds, 'store' | 'trees' | 'host' | 'terminals' | 'disk' | 'settings'>

/**
 * Removes the tree and the spools of a settled attempt. A worker's tree was pinned when the attempt was settled. A
 * planner's tree is pinned now, in case it wrote something there against its instructions.
 */
export async function clearAttempt(needs: Needs, attemptId: AttemptId): Promise<void> {
  const attempt = await needs.store.read.attempts.find(attemptId)
  if (attempt?.state.type !== 'settled') return
  const job = await needs.store.read.jobs.find(attempt.jobId)
  const directory = treeOf(needs, attemptId)
  const isUnpinned = attempt.tip === undefined && (await needs.disk.exists(directory))
  if (isUnpinned && job !== undefined) {
    const pinned = await pinAttempt(needs, job, attempt)
    // The tree is then the only copy, so it stays, and the reconciler tries again.
    if (!pinned.ok)
      throw new Error(`attempt ${attemptId} could not be pinned: ${JSON.stringify(pinned.failure)}`)
  }
  const sessions = await needs.store.read.sessions.listOfJob(attempt.jobId)
  const own = sessions.filter((session) => attemptIdOf(session) === attemptId)
  // A question to one of its sessions is answered in its tree. Clearing that question clears this attempt too.
  const isUnused = async () => !(await isAnyAsked(needs, own))
  await needs.trees.remove(directory, isUnused)
  if (!(await isUnused())) return
  for (const session of own) await removeHosts(needs, session)
}
