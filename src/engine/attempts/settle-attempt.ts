import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { AttemptId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Collected } from '../../ports/hub.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { readAnswer } from './read-answer.ts'
import { settleDiscovery } from './settle-discovery.ts'
import { settleTask } from './settle-task.ts'
import { treeOfAttempt } from './start-attempt.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'hub' | 'host' | 'disk' | 'providers' | 'clock' | 'ids' | 'crash' | 'settings'
>

/** Judges what an ended attempt left, and believes only what can be seen. */
export async function settleAttempt(needs: Needs, attemptId: AttemptId): Promise<void> {
  const attempt = await needs.store.read.attempts.find(attemptId)
  const job = attempt === undefined ? undefined : await needs.store.read.jobs.find(attempt.jobId)
  if (attempt === undefined || job === undefined) return
  if (attempt.state.type === 'ended') {
    await (attempt.role === 'planner'
      ? settlePlanner(needs, job, attempt)
      : settleWorker(needs, job, attempt))
  }
  const settled = await needs.store.read.attempts.find(attemptId)
  if (settled?.state.type === 'settled') await clearAway(needs, job, settled)
}

async function settlePlanner(needs: Needs, job: Job, attempt: Attempt): Promise<void> {
  const [answer, head] = await Promise.all([
    readAnswer(needs, attempt),
    needs.hub.branchTip(job.projectId, job.workingBranch),
  ])
  await needs.store.withJob(attempt.jobId, async (records, locked) => {
    const current = await records.attempts.find(attempt.id)
    if (current?.state.type !== 'ended') return
    await settleDiscovery(needs, records, {
      job: locked,
      attempt: current,
      answer,
      head: head ?? job.baseCommit,
    })
    needs.crash.reach('attempt-settle.before-commit')
  })
}

async function settleWorker(needs: Needs, job: Job, attempt: Attempt): Promise<void> {
  const collected = await pin(needs, job, attempt)
  needs.crash.reach('attempt-settle.after-collect')
  const answer = await readAnswer(needs, attempt)
  await needs.store.withJob(attempt.jobId, async (records, locked) => {
    const current = await records.attempts.find(attempt.id)
    if (current?.state.type !== 'ended') return
    await settleTask(needs, records, locked, { ...current, tip: collected.tip }, collected, answer)
    needs.crash.reach('attempt-settle.before-commit')
  })
}

/** Without a pin nothing may be removed: a failure here is thrown, and the queue tries again. */
async function pin(needs: Needs, job: Job, attempt: Attempt): Promise<Collected> {
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

/** The verdict is stored: what has served goes, and a planner's tree is pinned before, for it should be empty. */
async function clearAway(needs: Needs, job: Job, attempt: Attempt): Promise<void> {
  const directory = treeOfAttempt(needs, attempt.id)
  if (attempt.role === 'planner' && (await needs.disk.exists(directory))) await pin(needs, job, attempt)
  await needs.hub.removeTree(directory)
  await needs.host.remove(attempt.sessionId)
}
