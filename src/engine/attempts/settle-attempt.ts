import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { AttemptId } from '../../domain/id.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { readAnswer } from './read-answer.ts'
import { settleDiscovery } from './settle-discovery.ts'
import { settleTask } from './settle-task.ts'
import { treeOfAttempt } from './start-attempt.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'hub' | 'host' | 'providers' | 'clock' | 'ids' | 'crash' | 'settings' | 'log'
>

/** Judges what an ended attempt left: pins it first, then believes only what can be seen. */
export async function settleAttempt(needs: Needs, attemptId: AttemptId): Promise<void> {
  const attempt = await needs.store.read.attempts.find(attemptId)
  if (attempt === undefined) return
  if (attempt.state.type === 'settled') return clearAway(needs, attempt)
  if (attempt.state.type !== 'ended') return
  const job = await needs.store.read.jobs.find(attempt.jobId)
  if (job === undefined) return
  const collected = await needs.hub.collect({
    project: job.projectId,
    attemptId,
    directory: treeOfAttempt(needs, attemptId),
    base: attempt.baseCommit ?? job.baseCommit,
    message: `Work of ${attempt.agent.name} that it had not committed`,
  })
  // Without a pin nothing may be removed or decided: the queue tries again.
  if (!collected.ok)
    throw new Error(`attempt ${attemptId} not collected: ${JSON.stringify(collected.failure)}`)
  needs.crash.reach('attempt-settle.after-collect')

  const answer = await readAnswer(needs, attempt)
  await needs.store.withJob(attempt.jobId, async (records, locked) => {
    const current = await records.attempts.find(attemptId)
    if (current === undefined || current.state.type !== 'ended') return
    const pinned = { ...current, tip: collected.value.tip }
    if (current.role === 'planner') await settleDiscovery(needs, records, locked, pinned, answer)
    if (current.role === 'worker') await settleTask(needs, records, locked, pinned, collected.value, answer)
    needs.crash.reach('attempt-settle.before-commit')
  })
  await clearAway(needs, attempt)
}

/** The work is pinned and the verdict stored: the tree and the spools have served. */
async function clearAway(needs: Needs, attempt: Attempt): Promise<void> {
  await needs.hub.removeTree(treeOfAttempt(needs, attempt.id))
  await needs.host.remove(attempt.sessionId)
}
