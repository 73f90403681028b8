import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isLandingFinished } from '../../domain/landing/landing.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'branches' | 'log' | 'store'>

/** Delivers what a job that ended early has landed, if anything. */
export async function deliverLeftWork(needs: Needs, jobId: JobId): Promise<void> {
  const job = await needs.store.read.jobs.find(jobId)
  if (job === undefined) return
  const problem = await deliverWork(needs, job)
  if (problem === job.lastError) return
  await needs.store.withJob(jobId, (records, locked) => {
    const { lastError: _, ...rest } = locked
    // The result of the delivery replaces only an error from an earlier delivery.
    const kept = locked.state.type === 'error' ? locked : rest
    return records.jobs.save(problem === undefined ? kept : { ...kept, lastError: problem }, {
      audit: {
        actor: 'engine',
        action: 'job-deliver',
        subject: jobId,
        detail: { delivered: problem === undefined },
      },
    })
  })
}

/**
 * Delivers the working branch to the person's repository. Returns what went wrong, if anything: the work itself is
 * safe in the hub, and the next delivery includes it. Before something lands, the branch would hold nothing but a task
 * list, and would stay behind if nothing ever does. If a daemon died after it moved the branch, the landing's row may
 * not say yet that it landed.
 */
export async function deliverWork(needs: Needs, job: Job): Promise<string | undefined> {
  const landings = await needs.store.read.landings.listOfJob(job.id)
  const mayHaveLanded = landings.some(({ state }) => state.type === 'landed' || !isLandingFinished(state))
  const tip = mayHaveLanded ? await needs.branches.tip(job.projectId, job.workingBranch) : undefined
  if (tip === undefined || tip === job.baseCommit) return undefined
  const delivered = await needs.branches.deliver(job.projectId, job.repositoryPath, job.workingBranch)
  if (delivered.ok) return undefined
  needs.log.warn(
    { jobId: job.id, failure: delivered.failure.type },
    'the working branch could not be delivered',
  )
  return `branch ${job.workingBranch} could not be delivered to your repository: ${describeFailure(delivered.failure)}`
}
