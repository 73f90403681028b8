import type { DeletionFailure } from '../../domain/cleanup/cleanup-failure.ts'
import { judgeDeletion } from '../../domain/cleanup/judge-deletion.ts'
import { jobDeleted } from '../../domain/event/job-events.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import type { GitFailure } from '../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { taskName } from '../../domain/task/task-name.ts'
import type { Deletion } from '../../ports/store/deletion-records.ts'
import type { Records } from '../../ports/store/store.ts'
import { finishDeletion } from './finish-deletion.ts'
import {
  type DeletionNeeds,
  type DeletionOptions,
  type DeletionPlan,
  findRunning,
  planDeletion,
} from './inspect-deletion.ts'

export type DeleteFailure =
  | DeletionFailure
  | GitFailure
  | { readonly type: 'job-not-found'; readonly jobId: string }

/** What deleting a job would remove, without removing it. */
export async function previewDeletion(
  needs: DeletionNeeds,
  jobId: JobId,
  options: DeletionOptions = {},
): Promise<Result<DeletionPlan, DeleteFailure>> {
  const job = await needs.store.read.jobs.find(jobId)
  if (job === undefined) return failure({ type: 'job-not-found', jobId })
  if (!isJobFinished(job.state)) return failure({ type: 'job-not-ended', jobId, status: job.state.type })
  return await planDeletion(needs, job, options)
}

/**
 * Deletes an ended job: its rows at once, then what is on the disk and in the hub. If the process dies in between, the
 * reconciler has the rest removed.
 */
export async function deleteJob(
  needs: DeletionNeeds,
  jobId: JobId,
  options: DeletionOptions = {},
): Promise<Result<DeletionPlan, DeleteFailure>> {
  const planned = await previewDeletion(needs, jobId, options)
  if (!planned.ok) return planned
  const plan = planned.value
  needs.crash.reach('job-delete.before-rows')
  const stored = await needs.store.withJob(jobId, (records, job) =>
    storeDeletion(needs, records, { ...plan, job }, options),
  )
  if (stored === undefined) return failure({ type: 'job-not-found', jobId })
  if (!stored.ok) return stored
  needs.crash.reach('job-delete.after-rows')
  try {
    const { keptBranch } = await finishDeletion(needs, jobId)
    const { removedBranch: _, ...withoutBranch } = plan
    if (keptBranch) return success(withoutBranch)
  } catch (error) {
    // The queue does it again, with the stored copy.
    needs.log.warn({ jobId, error: String(error) }, 'a deleted job could not be removed completely yet')
  }
  return success(plan)
}

async function storeDeletion(
  needs: Pick<DeletionNeeds, 'clock'>,
  records: Records,
  plan: DeletionPlan,
  { withUnlandedWork = false, withPinnedWork = false }: DeletionOptions,
): Promise<Result<void, DeletionFailure>> {
  const { job } = plan
  const running = await findRunning(records, job)
  const forks = await records.runs.listForks(job.id)
  const lost = lostWork(withPinnedWork ? { ...plan, unlanded: [] } : plan)
  const judged = judgeDeletion({ job, running, forks, lost, withUnlandedWork })
  if (!judged.ok) return judged
  const deletion = await deletionOf(records, plan, needs.clock.now())
  await records.deletions.begin(deletion, {
    audit: {
      actor: 'person',
      action: 'job-delete',
      subject: job.id,
      detail: { unlanded: plan.unlanded.length, branch: plan.removedBranch !== undefined },
    },
    events: [jobDeleted(job)],
    follow: [{ type: 'deletion-finish', jobId: job.id }],
  })
  return success(undefined)
}

/** The names of what a deletion would lose. */
export function lostWork({
  job,
  unlanded,
  missing,
  uncollected,
  undelivered,
  removedBranch,
}: DeletionPlan): readonly string[] {
  return [
    ...uncollected.map(
      ({ directory, problem }) => `the work in ${directory}, which can't be collected (${problem})`,
    ),
    ...missing.map((id) => `the work of ${id}, which is missing from Muster's copy of the repository`),
    ...unlanded.map(({ id, task }) => (task === undefined ? id : `${taskName(task)} (${id})`)),
    ...(undelivered === undefined
      ? []
      : [
          `landed work on ${job.workingBranch}, which no ${removedBranch === undefined ? '' : 'other '}branch of your repository contains`,
        ]),
  ]
}

async function deletionOf(
  records: Records,
  { job, removedBranch }: DeletionPlan,
  createdAt: Date,
): Promise<Deletion> {
  const [attempts, sessions, candidates, runs] = await Promise.all([
    records.attempts.listOfJob(job.id),
    records.sessions.listOfJob(job.id),
    records.candidates.listOfJob(job.id),
    records.runs.listOfJob(job.id),
  ])
  const visits = await Promise.all(runs.map(({ id }) => records.visits.listOfRun(id)))
  return {
    ...placeOf(job),
    ...(removedBranch === undefined ? {} : { removedBranch }),
    ...(job.plan.snapshot === undefined ? {} : { snapshot: job.baseCommit }),
    pins: attempts.map(({ id }) => id),
    trees: [...attempts, ...candidates, ...visits.flat()].map(({ id }) => id),
    sessions: sessions.map(({ id, processNumber, mode }) => ({ id, processNumber, mode })),
    createdAt,
  }
}

function placeOf(job: Job): Pick<Deletion, 'jobId' | 'projectId' | 'repositoryPath' | 'workingBranch'> {
  const { id: jobId, projectId, repositoryPath, workingBranch } = job
  return { jobId, projectId, repositoryPath, workingBranch }
}
