import type { WireRun } from '../../client/index.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { runLines } from '../render/run/run-lines.ts'
import { displayOf } from '../render/text/display.ts'
import type { FollowFlags } from './follow-job.ts'
import { followToEnd } from './follow-to-end.ts'

/** Follows the job of a run until the job ends. A run that has ended is only shown. */
export async function followRun(
  needs: CommandNeeds,
  link: DaemonLink,
  runId: string,
  flags: FollowFlags,
): Promise<Outcome> {
  const run = await link.client.getRun(runId)
  if (!run.ok) return failure(apiProblem(run.failure))
  const { jobId, status } = run.value
  const job = await link.client.getJob(jobId)
  if (!job.ok) return failure(apiProblem(job.failure))
  const hasEnded = status === 'ended' || status === 'cancelled'
  const isJobOpen = job.value.completedAt === undefined
  // The job that only follows this playbook still has to land its work.
  if (!hasEnded || (isJobOpen && job.value.playbook !== undefined))
    return followToEnd(needs, link, jobId, { ...flags, run: runId })
  const printed = printResult(needs, run.value, runLines(run.value, displayOf(needs)).slice(1))
  return printed.ok ? success(exitCodeOfRun(run.value)) : printed
}

function exitCodeOfRun({ end }: WireRun): ExitCode {
  return end === 'land' || end === 'done' ? EXIT.done : EXIT.failed
}
