import type { RunId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { ForkFailure } from '../../domain/run/fork-failure.ts'
import { findForkable, findResumeEntry } from '../../domain/run/fork-point.ts'
import type { Run, RunOrigin } from '../../domain/run/run.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import { type LoadedRun, loadRun } from '../loaded-runs/load-run.ts'
import { startRun } from '../runs/start-run.ts'
import { resumeJob } from './control-job.ts'
import { continueElsewhere, type ForkNeeds } from './fork-run.ts'
import type { ResumeRunFailure } from './job-commands.ts'

/**
 * Continues a run. If its job is paused, the job is resumed. If the run ended because a person stopped it or its agent
 * was lost, the visit that didn't succeed is tried again: by a new run in the same job if the job still works on tasks,
 * otherwise by a new job. The earlier visits are taken as they are. A run that was resumed before continues in the run
 * that does so already.
 */
export async function resumeRun(
  needs: ForkNeeds,
  runId: RunId,
  idempotencyKey?: string,
): Promise<Result<Job, ResumeRunFailure>> {
  const { read } = needs.store
  const known = idempotencyKey === undefined ? undefined : await read.jobs.findByKey(idempotencyKey)
  if (known !== undefined) return success(known)
  const loaded = await loadRun(read, runId)
  const job = loaded === undefined ? undefined : await read.jobs.find(loaded.run.jobId)
  if (loaded === undefined || job === undefined) return failure({ type: 'not-found', what: 'run', id: runId })
  const { run, visits, pinned } = loaded
  if (run.state.type === 'running' || run.state.type === 'asking') return await resumeJob(needs, job.id)
  const next = await findContinuation(read, run)
  if (next !== undefined) return await resumeContinuation(needs, next, idempotencyKey)
  const entry = findResumeEntry(run, visits)
  if (!entry.ok) {
    const visit = findForkable(pinned.playbook, visits)?.ordinal ?? 1
    return failure({ type: 'run-not-resumable', runId, why: entry.failure, visit })
  }
  const origin: RunOrigin = { runId, ordinal: entry.value, keepsBranches: true }
  if (isJobFinished(job.state)) {
    const instead = (records: Records) => findContinuingJob(records, run)
    return await continueElsewhere(needs, loaded, { origin, pinned, instead }, idempotencyKey)
  }
  const continued = await needs.store.withJob(job.id, (records, locked) =>
    continueHere(needs, records, locked, loaded, origin),
  )
  // The job has ended since it was read.
  return continued ?? (await resumeRun(needs, runId, idempotencyKey))
}

async function resumeContinuation(
  needs: ForkNeeds,
  next: Job | Run,
  idempotencyKey: string | undefined,
): Promise<Result<Job, ResumeRunFailure>> {
  if ('plan' in next) return success(next)
  const resumed = await resumeRun(needs, next.id, idempotencyKey)
  const isAtWork = !resumed.ok && resumed.failure.type === 'illegal-transition'
  const job = isAtWork ? await needs.store.read.jobs.find(next.jobId) : undefined
  return job === undefined ? resumed : success(job)
}

/**
 * What became of a run that was resumed before: the open job that continues it, or the run in which it was continued.
 * Undefined if it wasn't resumed. A fork, which a person asked for, is another matter.
 */
async function findContinuation(
  { jobs, runs }: Pick<Records, 'jobs' | 'runs'>,
  { id, jobId }: Run,
): Promise<Job | Run | undefined> {
  const resumes = (origin: RunOrigin | undefined) => origin?.runId === id && origin.keepsBranches === true
  const here = (await runs.listOfJob(jobId)).findLast(({ origin }) => resumes(origin))
  if (here !== undefined) return here
  const others = await Promise.all((await runs.listForks(jobId)).map((one) => jobs.find(one)))
  const continued = others.filter((job) => resumes(job?.plan.approach?.origin))
  const open = continued.find((job) => job !== undefined && !isJobFinished(job.state))
  if (open !== undefined) return open
  const ended = await Promise.all(continued.map((job) => (job === undefined ? [] : runs.listOfJob(job.id))))
  return ended.flat().findLast(({ origin }) => resumes(origin))
}

/** The job in which a run was continued. Called with the lock of the run's job, it also finds what was started just now. */
async function findContinuingJob(records: Records, run: Run): Promise<Job | undefined> {
  const next = await findContinuation(records, run)
  return next === undefined || 'plan' in next ? next : await records.jobs.find(next.jobId)
}

/** Continues a run in its own job. Undefined if the job has ended. */
async function continueHere(
  needs: ForkNeeds,
  records: Records,
  job: Job,
  { run }: LoadedRun,
  origin: RunOrigin,
): Promise<Result<Job, ForkFailure> | undefined> {
  if (isJobFinished(job.state)) return undefined
  const continuing = await findContinuingJob(records, run)
  if (continuing !== undefined) return success(continuing)
  const task = await records.tasks.find(run.taskId)
  const cycle = (await records.cycles.listOf(job.id)).at(-1)
  const state = task === undefined ? undefined : nextTaskState(task.state, { type: 'run-again' })
  const isOpen = cycle?.phase === 'execution' && task?.cycleId === cycle.id && job.state.type === 'running'
  if (task === undefined || state?.ok !== true || !isOpen) {
    return failure({ type: 'run-not-resumable', runId: run.id, why: 'moved-on', visit: origin.ordinal })
  }
  const { completedAt: _, ...open } = task
  const pending = await records.tasks.save(
    { ...open, state: state.value },
    { audit: { actor: 'person', action: 'run-again', subject: task.id, detail: { run: run.id } } },
  )
  const { playbook, goal, inputs, cast, children, baseCommit: head } = run
  const request = { job, task: pending, playbook, goal, inputs, cast, head, origin }
  await startRun(needs, records, { ...request, ...withoutUndefined({ children }) })
  return success((await records.jobs.find(job.id)) ?? job)
}
