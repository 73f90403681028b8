import type { MusterClient, WireJob, WireRun } from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import { isComplete } from '../../domain/playbook/route.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { exitCodeOfJob } from '../render/job/job-summary.ts'
import type { JobOutcome } from './job-outcome.ts'

/** The runs of a job's tasks, oldest first; none if no task has a playbook, or if they can't be read. */
export async function readRuns(
  client: MusterClient,
  { job, tasks }: JobOutcome,
): Promise<readonly WireRun[]> {
  if (tasks.every(({ playbook }) => playbook === undefined)) return []
  const runs = await readAll((page) => client.listRuns({ job: job.id, ...page }))
  return runs.ok ? runs.value : []
}

/** A job that follows a playbook succeeds only if its run is complete. Partial work is none, even if it landed. */
export function exitCodeOfRuns(
  job: Pick<WireJob, 'status' | 'reason' | 'playbook'>,
  runs: readonly WireRun[],
): ExitCode {
  const end = runs.at(-1)?.end
  const isSuccess = job.playbook === undefined || end === undefined || isComplete(end)
  return isSuccess ? exitCodeOfJob(job) : EXIT.failed
}
