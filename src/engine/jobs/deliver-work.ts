import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'hub' | 'log'>

/** Delivers what a job that ended early has landed; nothing to do when nothing was begun. */
export async function deliverLeftWork(
  needs: Needs & Pick<EngineNeeds, 'store'>,
  jobId: JobId,
): Promise<void> {
  const job = await needs.store.read.jobs.find(jobId)
  if (job === undefined) return
  const tip = await needs.hub.branchTip(job.projectId, job.workingBranch)
  if (tip === undefined || tip === job.baseCommit) return
  const problem = await deliverWork(needs, job)
  if (problem === undefined) return
  await needs.store.withJob(jobId, (records, locked) =>
    records.jobs.save(
      { ...locked, lastError: problem },
      { audit: { actor: 'engine', action: 'job-deliver', subject: jobId, detail: { delivered: false } } },
    ),
  )
}

/**
 * Brings the working branch into the person's repository. Gives what went wrong, in words: the work itself is
 * safe in the hub, and the next delivery brings it along.
 */
export async function deliverWork(needs: Needs, job: Job): Promise<string | undefined> {
  const delivered = await needs.hub.deliver(job.projectId, job.repositoryPath, job.workingBranch)
  if (delivered.ok) return undefined
  needs.log.warn({ jobId: job.id, failure: delivered.failure.type }, 'working branch not delivered')
  switch (delivered.failure.type) {
    case 'branch-checked-out':
      return `branch ${job.workingBranch} is checked out in ${delivered.failure.at}; switch to another branch there`
    case 'branch-diverged':
      return `branch ${job.workingBranch} in your repository has commits that Muster does not have`
    default:
      return `branch ${job.workingBranch} could not be brought into your repository: ${JSON.stringify(delivered.failure)}`
  }
}
