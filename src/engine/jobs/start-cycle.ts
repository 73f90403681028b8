import type { Admission } from '../../domain/admission/admit.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import { jobWaiting } from '../../domain/event/job-events.ts'
import { agentFor } from '../../domain/job/agent-for.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextJobState } from '../../domain/job/next-job-state.ts'
import type { JobSnapshot } from '../../domain/job/next-step.ts'
import { RETRY_LIMITS } from '../../domain/limits/retry-limits.ts'
import type { Records } from '../../ports/store/store.ts'
import { decideStart } from '../admission/decide-starts.ts'
import { discoveryWaiter, isUnchanged } from '../admission/start-waiter.ts'
import { insertAttempt, newAttempt } from '../attempts/new-attempt.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { failJob } from './end-job.ts'
import { applyDocuments } from './job-documents.ts'
import { openCycle } from './open-cycle.ts'
import { startGiven } from './start-given.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'ids' | 'settings'>

/**
 * Stores a job's next cycle with its planner's attempt, if the planner may start now. Otherwise the job waits. A job
 * without a planner starts with its task.
 */
export async function startCycle(
  needs: Needs,
  records: Records,
  seen: Job,
  number: number,
  head: string,
): Promise<void> {
  const { approach } = seen.plan
  if (approach !== undefined) return startGiven(needs, records, seen, number, approach)
  const planner = await admitPlanner(needs, records, seen)
  if (planner === undefined) return
  const { job } = planner
  const cycle = await openCycle(needs, records, job, number, { phase: 'discovery' })
  const informed = await applyDocuments(records, job, number)
  const counted = await records.jobs.save(
    { ...informed, currentCycle: number, updatedAt: needs.clock.now() },
    { audit: { actor: 'engine', action: 'job-cycle', subject: job.id, detail: { number } } },
  )
  await askPlanner(needs, records, { ...planner, job: counted }, { cycle, head, number: 1 })
}

/** Asks the planner again. If it never gives a usable answer, the job ends with an error. */
export async function startDiscovery(
  needs: Needs,
  records: Records,
  snapshot: JobSnapshot,
  head: string,
): Promise<void> {
  const cycle = snapshot.cycles.at(-1)
  const planner = cycle === undefined ? undefined : await admitPlanner(needs, records, snapshot.job)
  if (cycle === undefined || planner === undefined) return
  const tries = await records.attempts.listOfDiscovery(cycle.id)
  if (tries.length < RETRY_LIMITS.discoveries) {
    return askPlanner(needs, records, planner, { cycle, head, number: tries.length + 1 })
  }
  const last = tries.at(-1)?.state
  const problem =
    last?.type === 'settled' && last.outcome.type === 'rejected' ? last.outcome.reason : 'no usable answer'
  await failJob(
    needs,
    records,
    planner.job,
    `the planner gave no usable answer (${tries.length} tries): ${problem}`,
  )
}

/** A planner that may start now. */
type AdmittedPlanner = {
  readonly job: Job
  readonly agent: AgentSpec
  readonly admission: Admission
}

async function askPlanner(
  needs: Needs,
  records: Records,
  { job, agent, admission }: AdmittedPlanner,
  { cycle, head, number }: { readonly cycle: Cycle; readonly head: string; readonly number: number },
): Promise<void> {
  const attempt = newAttempt(needs, {
    job,
    purpose: { type: 'discovery', cycleId: cycle.id },
    role: ROLE_FOR.discovery,
    number,
    agent,
    head,
  })
  await insertAttempt(needs, records, { attempt, admission })
}

/** Returns the job's planner if it may start now. Otherwise the job waits, and its state says why. */
async function admitPlanner(needs: Needs, records: Records, job: Job): Promise<AdmittedPlanner | undefined> {
  const agent = agentFor(job.plan, 'discovery')
  if (agent === undefined) {
    await failJob(needs, records, job, `planner ${job.plan.planner} is not configured`)
    return undefined
  }
  const now = needs.clock.now()
  const waiter = discoveryWaiter(job, agent, now)
  const admission = await decideStart(needs, records, waiter)
  if (isUnchanged(waiter, admission)) return undefined
  const audit = { actor: 'engine', subject: job.id } as const
  if (admission.type === 'admitted') {
    const state = nextJobState(job.state, { type: 'start-admit' })
    if (!state.ok || job.state.type !== 'running' || job.state.waiting === undefined) {
      return { job, agent, admission }
    }
    const admitted = await records.jobs.save(
      { ...job, state: state.value },
      { audit: { ...audit, action: 'job-admit', detail: {} } },
    )
    return { job: admitted, agent, admission }
  }
  const { type: _, ...refusal } = admission
  const state = nextJobState(job.state, { type: 'start-refuse', refusal, at: now })
  if (!state.ok) return undefined
  await records.jobs.save(
    { ...job, state: state.value, updatedAt: now },
    {
      audit: { ...audit, action: 'job-wait', detail: { limit: refusal.limit } },
      // A spent day has its own event.
      events: refusal.limit === 'day' ? [] : [jobWaiting(job, ROLE_FOR.discovery, refusal)],
      follow: refusal.until === undefined ? [] : [{ type: 'admission-wake' }],
    },
  )
  return undefined
}
