import type { RunId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { ForkFailure } from '../../domain/run/fork-failure.ts'
import { findResumeEntry } from '../../domain/run/fork-point.ts'
import type { Run, RunOrigin } from '../../domain/run/run.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import { type LoadedRun, loadRun } from '../runs/load-run.ts'
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
  const loaded = await loadRun(needs.store.read, runId)
  const job = loaded === undefined ? undefined : await needs.store.read.jobs.find(loaded.run.jobId)
  if (loaded === undefined || job === undefined) return failure({ type: 'not-found', what: 'run', id: runId })
  const { run, visits, pinned } = loaded
  if (run.state.type === 'running' || run.state.type === 'asking') return await resumeJob(needs, job.id)
  const next = await findContinuation(needs.store.read, run)
  if (next !== undefined) return 'plan' in next ? success(next) : await resumeRun(needs, next.id)
  const visit = Math.max(1, ...visits.map(({ ordinal }) => ordinal))
  const entry = findResumeEntry(run, visits)
  if (!entry.ok) return failure({ type: 'run-not-resumable', runId, why: entry.failure, visit })
  const origin: RunOrigin = { runId, ordinal: entry.value, keepsBranches: true }
  if (isJobFinished(job.state)) {
    return await continueElsewhere(needs, loaded, { origin, pinned }, idempotencyKey)
  }
  const continued = await needs.store.withJob(job.id, (records, locked) =>
    continueHere(needs, records, locked, loaded, origin),
  )
  return continued ?? failure({ type: 'run-not-resumable', runId, why: 'moved-on', visit })
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

async function continueHere(
  needs: ForkNeeds,
  records: Records,
  job: Job,
  { run }: LoadedRun,
  origin: RunOrigin,
): Promise<Result<Job, ForkFailure>> {
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
