import type { WireRun } from '../../client/index.ts'
import { isComplete } from '../../domain/playbook/route.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { connectDaemon } from '../connect-daemon.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { runLines } from '../render/run/run-lines.ts'
import { displayOf } from '../render/text/display.ts'
import type { FollowFlags } from './follow-flags.ts'
import { followJob } from './follow-job.ts'
import { followToEnd, unfinishedOutcome } from './follow-to-end.ts'

/** Follows a run until it ends, or until its job ends if the job only follows its playbook, and prints its result. */
export async function followRun(
  needs: CommandNeeds,
  link: DaemonLink,
  runId: string,
  flags: FollowFlags,
): Promise<Outcome> {
  const run = await link.client.getRun(runId)
  if (!run.ok) return failure(apiProblem(run.failure))
  const { jobId, taskId, status } = run.value
  const job = await link.client.getJob(jobId)
  if (!job.ok) return failure(apiProblem(job.failure))
  const hasEnded = status === 'ended' || status === 'cancelled'
  const followed = { ...flags, run: runId }
  // The job that only follows this playbook still has to land its work.
  if (job.value.playbook !== undefined && (!hasEnded || job.value.completedAt === undefined))
    return followToEnd(needs, link, jobId, followed)
  if (hasEnded) return printRun(needs, run.value)
  const end = await followJob(needs, link, jobId, { ...followed, only: { taskId } })
  const early = await unfinishedOutcome(needs, link, jobId, end)
  if (early !== undefined) return early
  // The daemon may have restarted at another address meanwhile.
  const connected = await connectDaemon(needs)
  if (!connected.ok) return connected
  const ended = await connected.value.client.getRun(runId)
  return ended.ok ? printRun(needs, ended.value) : failure(apiProblem(ended.failure))
}

function printRun(needs: CommandNeeds, run: WireRun): Outcome {
  const printed = printResult(needs, run, runLines(run, displayOf(needs)).slice(1))
  return printed.ok ? success(exitCodeOfRun(run)) : printed
}

function exitCodeOfRun({ end }: WireRun): ExitCode {
  return isComplete(end) ? EXIT.done : EXIT.failed
}
