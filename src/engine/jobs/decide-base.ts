import { type Baseline, failuresOf, isSetupFailing } from '../../domain/baseline/baseline.ts'
import { baseDecided } from '../../domain/event/base-events.ts'
import type { JobId } from '../../domain/id.ts'
import type { BaseDecision } from '../../domain/job/base-state.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { nextBaseState } from '../../domain/job/next-base-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeCancel } from './cancel-job.ts'
import { checkBase } from './check-base.ts'
import type { BaseDecisionFailure } from './job-commands.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'crash' | 'settings' | 'history' | 'ids' | 'wakeAt'>

/** Stores what a person decided about a base that fails. The job continues unless it is paused. */
export async function decideBase(
  needs: Needs,
  jobId: JobId,
  decision: BaseDecision | 'retry' | 'stop',
): Promise<Result<Job, BaseDecisionFailure>> {
  const decided = await needs.store.withJob(jobId, async (records, job) => {
    const baseline = await findAsked(records, job)
    if (baseline === undefined) return failure({ type: 'base-not-asked', jobId, base: whyNot(job) } as const)
    if (decision === 'stop') return storeCancel(needs, records, job, whyStopped(baseline))
    if (decision === 'retry') return success(await checkAgain(needs, records, job))
    if (decision === 'continue' && isSetupFailing(baseline)) {
      const command = failuresOf(baseline)[0]?.command ?? ''
      return failure({ type: 'base-setup-fails', jobId, command } as const)
    }
    return success(await store(needs, records, job, baseline, decision))
  })
  return decided ?? failure({ type: 'job-not-found', jobId })
}

/** A failed baseline isn't reused, so the setup and the checks run again. */
async function checkAgain(needs: Needs, records: Records, job: Job): Promise<Job> {
  const checked = await checkBase(needs, records, job)
  await records.note({
    audit: { actor: 'person', action: 'base-decide', subject: job.id, detail: { decision: 'retry' } },
    follow: [{ type: 'job-advance', jobId: job.id }],
  })
  needs.crash.reach('baseline.before-decision')
  return checked
}

function whyStopped(baseline: Baseline): string {
  return isSetupFailing(baseline) ? 'the setup fails on its base' : 'its base fails its checks'
}

async function findAsked(records: Records, { base, state }: Job): Promise<Baseline | undefined> {
  if (isJobFinished(state) || base?.type !== 'asking') return undefined
  return await records.baselines.find(base.baselineId)
}

function whyNot({ base, state }: Job): string {
  return isJobFinished(state) ? 'ended' : (base?.type ?? 'unchecked')
}

async function store(
  needs: Needs,
  records: Records,
  job: Job,
  baseline: Baseline,
  decision: BaseDecision,
): Promise<Job> {
  const base = nextBaseState(job.base, { type: 'base-decide', decision })
  if (!base.ok) return job
  const saved = await records.jobs.save(
    { ...job, base: base.value, updatedAt: needs.clock.now() },
    {
      audit: { actor: 'person', action: 'base-decide', subject: job.id, detail: { decision } },
      events: [baseDecided(job, baseline, decision, false)],
      follow: [{ type: 'job-advance', jobId: job.id }],
    },
  )
  needs.crash.reach('baseline.before-decision')
  return saved
}
