import { type Baseline, isSetupFailing } from '../../domain/baseline/baseline.ts'
import type { BaseState } from '../../domain/job/base-state.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { type Result, success } from '../../domain/result.ts'
import { findJob, type JobNotFound, type Reads } from './find-record.ts'

/** What a job knows about its base. */
export type BaseView = {
  readonly job: Job
  readonly status: BaseState['type'] | 'unchecked'
  readonly baseline?: Baseline
  /** What a person can decide now. */
  readonly choices: readonly ('continue' | 'fix' | 'stop')[]
}

export async function showBase(needs: Reads, id: string): Promise<Result<BaseView, JobNotFound>> {
  const job = await findJob(needs, id)
  if (!job.ok) return job
  const { base, state } = job.value
  const baseline = base === undefined ? undefined : await needs.store.read.baselines.find(base.baselineId)
  if (base === undefined || baseline === undefined) {
    return success({ job: job.value, status: 'unchecked', choices: [] })
  }
  const isAsking = base.type === 'asking' && !isJobFinished(state)
  const choices = isAsking ? choicesOf(baseline) : []
  return success({ job: job.value, status: base.type, baseline, choices })
}

/** If setup fails, no agent could start, so there is nothing to continue with. */
function choicesOf(baseline: Baseline): BaseView['choices'] {
  return isSetupFailing(baseline) ? ['fix', 'stop'] : ['continue', 'fix', 'stop']
}
