import type { Cycle } from '../../domain/cycle/cycle.ts'
import { cycleStarted } from '../../domain/event/cycle-events.ts'
import type { Job } from '../../domain/job/job.ts'
import type { JobSight } from '../../domain/job/next-step.ts'
import { RETRY_LIMITS } from '../../domain/limits/retry-limits.ts'
import type { Records } from '../../ports/store/store.ts'
import { newAttempt } from '../attempts/new-attempt.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { failJob } from './end-job.ts'
import { takeUpDocuments } from './take-up-documents.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'ids' | 'settings'>

export async function startCycle(
  needs: Needs,
  records: Records,
  job: Job,
  number: number,
  head: string,
): Promise<void> {
  const now = needs.clock.now()
  const cycle: Cycle = {
    id: needs.ids.next('cycle'),
    jobId: job.id,
    number,
    phase: 'discovery',
    tasksDiscovered: 0,
    tasksLaunched: 0,
    tasksCompleted: 0,
    tasksFailed: 0,
    blockers: [],
    version: 1,
    startedAt: now,
  }
  await records.cycles.insert(cycle, {
    audit: { actor: 'engine', action: 'cycle-start', subject: cycle.id, detail: { number } },
    events: [cycleStarted(cycle)],
    follow: number === 1 ? [] : [{ type: 'base-follow', jobId: job.id }],
  })
  const informed = await takeUpDocuments(records, job, number)
  const counted = await records.jobs.save(
    { ...informed, currentCycle: number, updatedAt: now },
    { audit: { actor: 'engine', action: 'job-cycle', subject: job.id, detail: { number } } },
  )
  await askPlanner(needs, records, counted, cycle, head, 1)
}

/** Asks the planner (again); a planner that never answers usably ends the job in error, not in "complete". */
export async function startDiscovery(
  needs: Needs,
  records: Records,
  sight: JobSight,
  head: string,
): Promise<void> {
  const cycle = sight.cycles.at(-1)
  if (cycle === undefined) return
  const tries = await records.attempts.listOfDiscovery(cycle.id)
  if (tries.length < RETRY_LIMITS.discoveries) {
    return askPlanner(needs, records, sight.job, cycle, head, tries.length + 1)
  }
  const last = tries.at(-1)?.state
  const problem =
    last?.type === 'settled' && last.outcome.type === 'rejected' ? last.outcome.reason : 'no usable answer'
  await failJob(needs, records, sight.job, `discovery failed ${tries.length} times: ${problem}`)
}

async function askPlanner(
  needs: Needs,
  records: Records,
  job: Job,
  cycle: Cycle,
  head: string,
  number: number,
): Promise<void> {
  const agent = job.plan.agents.find((candidate) => candidate.name === job.plan.planner)
  if (agent === undefined)
    return failJob(needs, records, job, `planner ${job.plan.planner} is not configured`)
  await newAttempt(needs, records, {
    job,
    purpose: { type: 'discovery', cycleId: cycle.id },
    number,
    agent,
    head,
  })
}
