import { assertNever } from '../../domain/assert-never.ts'
import { type Baseline, failuresOf, isSetupFailing } from '../../domain/baseline/baseline.ts'
import {
  baseDecided,
  baseFailed,
  baseFixEnded,
  basePassed,
  baseUnknown,
} from '../../domain/event/base-events.ts'
import type { NewEvent } from '../../domain/event/event.ts'
import type { BaseDecision } from '../../domain/job/base-state.ts'
import type { Job } from '../../domain/job/job.ts'
import { type BaseEvent, nextBaseState } from '../../domain/job/next-base-state.ts'
import type { JobSnapshot } from '../../domain/job/next-step.ts'
import { reasonLine } from '../../domain/task/reason-line.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { checkBase } from './check-base.ts'
import { failJob } from './end-job.ts'

type Needs = Pick<EngineNeeds, 'history' | 'clock' | 'ids' | 'settings' | 'wakeAt'>

/** Applies the verdict on a job's base. If it fails, the job's settings decide, or else a person is asked. */
export async function judgeBase(needs: Needs, records: Records, job: Job, baseline: Baseline): Promise<void> {
  const { state } = baseline
  switch (state.type) {
    case 'checking':
      return
    case 'released':
      return void (await checkBase(needs, records, job))
    case 'passed':
      return store(records, job, { type: 'base-pass' }, [basePassed(job, false)])
    case 'unknown':
      return store(records, job, { type: 'base-unknown' }, [baseUnknown(job, state.reason)])
    case 'failed':
      return judgeFailure(needs, records, job, baseline)
    default:
      return assertNever(state)
  }
}

async function judgeFailure(needs: Needs, records: Records, job: Job, baseline: Baseline): Promise<void> {
  const at = needs.clock.now()
  if (job.plan.failingBase === 'stop') {
    const audit = { actor: 'engine', action: 'base-fail', subject: job.id, detail: {} } as const
    await records.note({ audit, events: [baseFailed(job, baseline, false)] })
    return failJob(needs, records, job, stopWords(job, baseline))
  }
  const decision = decisionOf(job, baseline)
  if (decision === undefined) {
    return store(records, job, { type: 'base-fail', at }, [baseFailed(job, baseline, true)])
  }
  const events = [baseFailed(job, baseline, false), baseDecided(job, baseline, decision, true)]
  return store(records, job, { type: 'base-fail', decision, at }, events)
}

/** What the job's settings decide about this failure. If setup fails, no agent could start, so nothing continues. */
function decisionOf({ plan }: Job, baseline: Baseline): BaseDecision | undefined {
  if (plan.failingBase === 'fix') return 'fix'
  return plan.failingBase === 'continue' && !isSetupFailing(baseline) ? 'continue' : undefined
}

function stopWords({ baseBranch, baseCommit }: Job, baseline: Baseline): string {
  const [first] = failuresOf(baseline)
  const what = first?.failure === 'setup' ? 'setup command' : 'check'
  const place = `${baseBranch} at ${baseCommit.slice(0, 10)}`
  const why = reasonLine(first?.detail ?? '')
  if (first?.failure === 'altered') return `on ${place}, the check "${first.command}" ${why}`
  return `${what} "${first?.command}" already fails on ${place}: ${why}`
}

/** The cycle that fixes the base has ended. If the fix did not land, a person is asked again. */
export async function judgeFix(needs: Needs, records: Records, { job, cycles }: JobSnapshot): Promise<void> {
  const at = needs.clock.now()
  const begun = cycles.at(-1)?.startedAt ?? at
  const candidates = await records.candidates.listOfJob(job.id)
  // Work that brought nothing new made no candidate, so it can't have fixed anything.
  const hasLanded = candidates.some(
    ({ state, purpose, createdAt }) =>
      state.type === 'landed' && purpose.type === 'landings' && createdAt >= begun,
  )
  const baseline = job.base === undefined ? undefined : await records.baselines.find(job.base.baselineId)
  const isSetup = baseline !== undefined && isSetupFailing(baseline)
  await store(records, job, { type: 'fix-end', hasLanded, at }, [baseFixEnded(job, hasLanded, isSetup)])
}

async function store(
  records: Records,
  job: Job,
  event: BaseEvent,
  events: readonly NewEvent[],
): Promise<void> {
  const base = nextBaseState(job.base, event)
  if (!base.ok) return
  await records.jobs.save(
    { ...job, base: base.value },
    {
      audit: { actor: 'engine', action: event.type, subject: job.id, detail: {} },
      events,
      follow: [{ type: 'job-advance', jobId: job.id }],
    },
  )
}
