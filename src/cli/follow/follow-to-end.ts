import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { connectDaemon } from '../connect-daemon.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { exitCodeOfJob, jobSummaryLines } from '../render/job/job-summary.ts'
import { lookOf } from '../render/text/look.ts'
import { newestJob } from '../repository/newest-job.ts'
import { comeBackLines } from './come-back.ts'
import { followJob } from './follow-job.ts'
import { readJobOutcome } from './job-outcome.ts'

/** Shows a job as it goes and, when it is over, what became of it. */
export async function followToEnd(needs: CommandNeeds, link: DaemonLink, jobId: string): Promise<Outcome> {
  const { output } = needs
  const end = await followJob(needs, link, jobId)
  if (!end.ok) return end
  if (end.value === 'closed') return success(EXIT.done)
  if (end.value === 'left') {
    for (const line of comeBackLines(jobId, output.hint)) output.note(line)
    return success(EXIT.interrupted)
  }
  // The daemon may have come back elsewhere while we followed.
  const connected = await connectDaemon(needs)
  if (!connected.ok) return connected
  const { client } = connected.value
  const outcome = await readJobOutcome(client, jobId)
  if (!outcome.ok) return failure(apiProblem(outcome.failure))
  const { job, tasks } = outcome.value
  const exitCode = exitCodeOfJob(job)
  output.value({ success: exitCode === EXIT.done, data: { job, tasks } })
  const newest = await newestJob(client, { cwd: needs.surroundings.cwd, say: () => {} })
  const names = newest.ok && newest.value?.id === jobId ? 'labels' : 'ids'
  for (const line of jobSummaryLines(job, tasks, lookOf(needs), names)) output.print(line)
  return success(exitCode)
}
