import type { RunId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { nextRunState } from '../../domain/run/next-run-state.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { abortRun } from '../runs/abort-run.ts'
import { cancelOwnRun } from '../runs/cancel-own-run.ts'
import { worksOn } from '../runs/close-visits.ts'
import type { RunNeeds } from '../runs/run-needs.ts'
import { storeStop } from '../sessions/end/stop-session.ts'
import { storeCancel } from './cancel-job.ts'
import type { RunNotFound, StoppedRun, StopRunOptions } from './job-commands.ts'

type Needs = RunNeeds & Pick<EngineNeeds, 'store'>

/**
 * Ends a run because a person wants it to end. Nothing lands, and its work stays pinned. A job that only follows this
 * playbook is cancelled; in another job, the task is given up and the job goes on. A run that has ended stays as it is,
 * but what is left of its programs can still be killed.
 */
export async function cancelRun(
  needs: Needs,
  runId: RunId,
  options: StopRunOptions,
): Promise<Result<StoppedRun, RunNotFound>> {
  const found = await needs.store.read.runs.find(runId)
  const stopped =
    found === undefined
      ? undefined
      : await needs.store.withJob(found.jobId, (records, job) =>
          stop(needs, records, { job, runId }, options),
        )
  return stopped === undefined ? failure({ type: 'not-found', what: 'run', id: runId }) : success(stopped)
}

async function stop(
  needs: Needs,
  records: Records,
  { job, runId }: { readonly job: Job; readonly runId: RunId },
  { reason, isForced }: StopRunOptions,
): Promise<StoppedRun | undefined> {
  const run = await records.runs.find(runId)
  if (run === undefined) return undefined
  const why = reason ?? 'a person stopped it'
  const programs = await sessionsOf(records, job, run)
  // Killed first: a session that already has to end isn't asked to exit again.
  if (isForced)
    for (const session of programs)
      await storeStop(needs, records, session, { type: 'cancelled', reason: why }, true)
  const ended = await endRun(needs, records, job, run, why)
  const action = isForced ? 'run-kill' : 'run-stop'
  await records.note({ audit: { actor: 'person', action, subject: run.id, detail: { ended } } })
  const [stopped, left] = await Promise.all([records.runs.find(runId), records.jobs.find(job.id)])
  return { run: stopped ?? run, job: left ?? job, ended, programs: programs.length }
}

async function endRun(
  needs: Needs,
  records: Records,
  job: Job,
  run: Run,
  why: string,
): Promise<StoppedRun['ended']> {
  if (!nextRunState(run.state, { type: 'run-cancel', reason: why }).ok) return 'nothing'
  if (run.parentId !== undefined) {
    await abortRun(needs, records, job, run.id, why)
    return 'stage'
  }
  if (job.plan.approach !== undefined) {
    const cancelled = await storeCancel(needs, records, job, why)
    if (cancelled.ok) return 'job'
  }
  await cancelOwnRun(needs, records, job, run, why)
  return 'task'
}

/** The programs that work on a run, and on the runs within it. */
async function sessionsOf(records: Records, job: Job, run: Run): Promise<readonly Session[]> {
  const visits = await records.visits.listOfRun(run.id)
  const live = await records.sessions.listLive(job.id)
  const own = live.filter((session) => visits.some((visit) => worksOn(session, visit)))
  const within: Session[] = []
  for (const { id } of visits)
    for (const child of await records.runs.listOfParent(id))
      within.push(...(await sessionsOf(records, job, child)))
  return [...own, ...within]
}
