import type { WireJob, WireRun } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { shellWord } from '../../domain/shell-word.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { connectDaemon } from '../connect-daemon.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT } from '../exit-code.ts'
import type { Hint } from '../hint.ts'
import type { Outcome, Problem } from '../problem.ts'
import { jobSummaryLines } from '../render/job/job-summary.ts'
import { documentLines, mainDocument } from '../render/run/document-lines.ts'
import { troubleLines } from '../render/run/trouble-lines.ts'
import { displayOf } from '../render/text/display.ts'
import { taskNamesFor } from '../repository/newest-job.ts'
import type { FollowEnd, FollowFlags } from './follow-flags.ts'
import { followJob } from './follow-job.ts'
import type { StartSignals } from './guard-start.ts'
import { readJobOutcome } from './job-outcome.ts'
import { readMergeReadiness } from './merge-readiness.ts'
import { exitCodeOfRuns, readRuns } from './run-outcome.ts'
import { readUnlandedWork } from './unlanded-work.ts'

/** Follows a job and, when it has ended, prints its summary. `before`: what the person did before. */
export async function followToEnd(
  needs: CommandNeeds,
  link: DaemonLink,
  jobId: string,
  flags: FollowFlags,
  before?: StartSignals,
): Promise<Outcome> {
  const { output } = needs
  const end = await followJob(needs, link, jobId, flags, before)
  const early = await unfinishedOutcome(needs, link, jobId, end)
  if (early !== undefined) return early
  // The daemon may have restarted at another address meanwhile.
  const connected = await connectDaemon(needs)
  if (!connected.ok) return connected
  const { client } = connected.value
  const outcome = await readJobOutcome(client, jobId)
  if (!outcome.ok) return failure(apiProblem(outcome.failure))
  const { job, tasks } = outcome.value
  const runs = await readRuns(client, outcome.value)
  const exitCode = exitCodeOfRuns(job, runs)
  output.value({ success: exitCode === EXIT.done, data: { job, tasks } })
  const names = await taskNamesFor(client, needs.surroundings.cwd, jobId)
  const readiness = output.json ? undefined : await readMergeReadiness(needs, client, outcome.value)
  const unlanded = output.json ? [] : await readUnlandedWork(client, job)
  const display = displayOf(needs)
  const result = resultOf(job, runs)
  const options = { names, readiness, unlanded, hasDocument: result !== undefined }
  for (const line of jobSummaryLines(job, tasks, display, options)) output.printProse(line)
  if (result !== undefined) printDocument(needs, result)
  for (const line of troubleLines(runs, display)) output.printProse(line)
  return success(exitCode)
}

type RunDocument = { readonly run: WireRun; readonly document: WireRun['documents'][number] }

/** What a job that follows a playbook was for, if that is a document. */
function resultOf({ playbook }: WireJob, runs: readonly WireRun[]): RunDocument | undefined {
  const run = playbook === undefined ? undefined : runs.at(-1)
  const document = run && mainDocument(run)
  return run === undefined || document === undefined ? undefined : { run, document }
}

function printDocument(needs: CommandNeeds, { run, document }: RunDocument): void {
  const { output } = needs
  for (const line of documentLines(run, document, displayOf(needs), output.isTerminal))
    output.printExact(line)
}

/** What a command ends with if following stopped before what it followed had ended. */
export async function unfinishedOutcome(
  { output }: Pick<CommandNeeds, 'output'>,
  link: DaemonLink,
  jobId: string,
  end: Result<FollowEnd, Problem>,
): Promise<Outcome | undefined> {
  if (!end.ok) return end
  if (end.value === 'closed') return output.isLost() ? failure(outputLost(jobId)) : success(EXIT.done)
  if (end.value === 'asked') return failure(await baseAsked(link, jobId))
  if (end.value !== 'left') return undefined
  for (const line of detachedLines(jobId, output.hint)) output.note(line)
  return success(EXIT.interrupted)
}

/** Why the output is lost is reported when the process ends. */
function outputLost(jobId: string): Problem {
  return {
    type: 'output-lost',
    exitCode: EXIT.failed,
    message: `the output cannot be written, but ${jobId} continues in the background`,
    next: `muster watch ${jobId}, or to cancel it: muster cancel ${jobId}`,
  }
}

/** As with a configuration that isn't trusted: without a terminal, the person runs a command and tries again. */
async function baseAsked({ client }: DaemonLink, jobId: string): Promise<Problem> {
  const job = await client.getJob(jobId)
  const playbook = job.ok ? job.value.playbook : undefined
  const start = playbook === undefined ? 'run' : `start ${shellWord(playbook.name)}`
  return {
    type: 'base-asked',
    exitCode: EXIT.usage,
    message: `${jobId} waits for your decision about its failing base, and this is not a terminal`,
    why: `decide, then follow it again: muster watch ${jobId}\nto decide in advance: muster ${start} --on-failing-base stop|continue|fix|ignore ...`,
    next: `muster base ${jobId} continue|fix|retry|stop`,
  }
}

/** How to return to a job that continues in the background. */
export function detachedLines(jobId: string, hint: Hint): readonly string[] {
  return [
    'the job continues in the background',
    `  follow it:  ${hint(`muster watch ${jobId}`)}`,
    `  check it:   ${hint(`muster status ${jobId}`)}`,
    `  cancel it:  ${hint(`muster cancel ${jobId}`)}`,
  ]
}
