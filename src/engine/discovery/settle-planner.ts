import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { findConflictTasks } from './conflict-tasks.ts'
import { readPlannerAnswer } from './read-planner-answer.ts'
import { settleDiscovery } from './settle-discovery.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'branches' | 'history' | 'commits' | 'host' | 'providers' | 'clock' | 'ids' | 'crash' | 'settings'
>

/** Takes up what an ended planner answered, together with what earlier conflicts ask for. */
export async function settlePlanner(needs: Needs, job: Job, attempt: Attempt): Promise<void> {
  const head = (await needs.branches.tip(job.projectId, job.workingBranch)) ?? job.baseCommit
  const [answer, conflicts] = await Promise.all([
    readPlannerAnswer(needs, attempt),
    findConflictTasks(needs, job, head),
  ])
  await needs.store.withJob(attempt.jobId, async (records, locked) => {
    const current = await records.attempts.find(attempt.id)
    if (current?.state.type !== 'ended') return
    await settleDiscovery(needs, records, { job: locked, attempt: current, answer, conflicts, head })
    needs.crash.reach('attempt-settle.before-commit')
  })
}
