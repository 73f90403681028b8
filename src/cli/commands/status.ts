import type { MusterClient, WireDiskUse, WireJobSummary, WireRun, WireStatus } from '../../client/index.ts'
import { success } from '../../domain/result.ts'
import { visitLabel } from '../../domain/run/visit-label.ts'
import { taskName } from '../../domain/task/task-name.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { type JobOutcome, readJobOutcome } from '../follow/job-outcome.ts'
import { readTaskWaits, type TaskWaits } from '../follow/task-waits.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { runningWords } from '../render/job/base-lines.ts'
import { jobEndWords } from '../render/job/job-end-words.ts'
import { TASK_TONES } from '../render/job/job-summary.ts'
import { JOB_TONES, jobTimeMs, statusWord } from '../render/job/job-words.ts'
import { unlandedTasks } from '../render/job/unlanded-tasks.ts'
import { jobWaitingLines, waitingLines } from '../render/job/waiting-lines.ts'
import { runStatusLines } from '../render/run/run-status-lines.ts'
import { isWaitingForPerson } from '../render/session/session-words.ts'
import { taskWaitWords } from '../render/task/task-wait-words.ts'
import { auditWords } from '../render/text/audit-words.ts'
import { byteWords } from '../render/text/byte-words.ts'
import { counted } from '../render/text/counted.ts'
import { displayOf } from '../render/text/display.ts'
import { elapsed } from '../render/text/elapsed.ts'
import { safeHead, safeLine } from '../render/text/safe-text.ts'
import { withAnswer, withDaemon, withFound } from '../with-daemon.ts'
import { readRunsOfJobs } from './runs-of-jobs.ts'

const TITLE_LIMIT = 70
const SHOWN_AGE_MS = 60_000

/** Prints what is running and what is waiting, of everything, of one job or of one run. */
export async function statusCommand(needs: CommandNeeds, text: string | undefined): Promise<Outcome> {
  if (text === undefined) {
    return withDaemon(needs, (client) =>
      withAnswer(client.status(), async (status) =>
        showStatus(needs, status, {
          checks: await readBaseChecks(needs, client, status.jobs),
          runs: await readRuns(needs, client, status.jobs),
        }),
      ),
    )
  }
  return withFound(needs, text, ['job', 'run'], (client, { kind, id }) => {
    if (kind === 'run') {
      return withAnswer(client.getRunResult(id), (result) =>
        printResult(needs, result, runStatusLines(result, displayOf(needs))),
      )
    }
    return withAnswer(readJobOutcome(client, id), async (outcome) => {
      const waits = await readTaskWaits(client, outcome.job, outcome.tasks)
      const checks = await readBaseChecks(needs, client, [outcome.job])
      const runs = await readRuns(needs, client, [outcome.job])
      return showJobStatus(needs, outcome, waits, { checks, runs })
    })
  })
}

/** For each job whose base is being checked, the command that runs. */
type BaseChecks = ReadonlyMap<string, string>

type Details = {
  readonly checks: BaseChecks
  /** The runs of jobs that only follow a playbook. */
  readonly runs: ReadonlyMap<string, WireRun>
}

async function readRuns(
  { output }: CommandNeeds,
  client: MusterClient,
  jobs: readonly WireJobSummary[],
): Promise<Details['runs']> {
  return output.json ? new Map() : readRunsOfJobs(client, jobs)
}

/** Programs get what the API says about a job. */
async function readBaseChecks(
  { output }: CommandNeeds,
  client: MusterClient,
  jobs: readonly WireJobSummary[],
): Promise<BaseChecks> {
  const checked = output.json ? [] : jobs.filter(({ baseStatus }) => baseStatus === 'checking')
  const found = await Promise.all(
    checked.map(async ({ id }) => {
      const base = await client.getBase(id)
      return [id, base.ok ? runningWords(base.value) : undefined] as const
    }),
  )
  return new Map(found.map(([id, words]) => [id, words ?? 'starting']))
}

function printBaseCheck({ output }: CommandNeeds, { id }: WireJobSummary, checks: BaseChecks): void {
  const words = checks.get(id)
  if (words !== undefined) output.printProse(`  checking the base first: ${words}`)
}

/** A large home takes a while to measure, so the numbers may be old. */
function diskWords({ usedBytes, freeBytes, ageMs }: WireDiskUse): string {
  const age = ageMs < SHOWN_AGE_MS ? '' : ` (measured ${elapsed(ageMs)} ago)`
  return `disk: ${byteWords(usedBytes)} used by the home, ${byteWords(freeBytes)} free${age}`
}

function showStatus(needs: CommandNeeds, status: WireStatus, { checks, runs }: Details): Outcome {
  const { output } = needs
  const { daemon } = status
  output.value({ success: true, data: status })
  output.printProse(
    `daemon ${daemon.version}, process ${daemon.pid}, up ${elapsed(daemon.uptimeMs)}, home ${safeLine(daemon.home)}`,
  )
  if (daemon.disk !== undefined) output.printProse(diskWords(daemon.disk))
  if (daemon.audit?.status === 'broken')
    output.printProse(
      `${output.paint('bad', 'warning')}: ${auditWords(daemon.audit)}; see ${output.hint('muster audit verify')}`,
    )
  if (status.jobs.length === 0)
    output.printProse(`no open jobs; start one with: ${output.hint('muster run "what you want done"')}`)
  const isOneRepository = new Set(status.jobs.map((job) => job.repositoryPath)).size <= 1
  for (const job of status.jobs) {
    const place = isOneRepository ? '' : `  (${safeLine(job.repositoryName)})`
    output.printProse(`${jobLine(needs, job, runs.get(job.id))}${place}`)
    printBaseCheck(needs, job, checks)
  }
  const running = status.sessions.filter(
    (session) => !['waiting', 'suspended'].includes(session.status) && !isWaitingForPerson(session),
  )
  if (running.length > 0) output.printProse(`${runningCount(running)} running`)
  const now = needs.surroundings.now()
  for (const line of status.waiting.flatMap((waiting) => waitingLines(waiting, now, output))) {
    output.printProse(line)
  }
  return success(EXIT.done)
}

/** Checks run in sessions too, but no agent works in them. */
function runningCount(running: WireStatus['sessions']): string {
  const checks = running.filter(
    ({ purpose }) => purpose.type === 'check' || purpose.type === 'baseline',
  ).length
  const others = running.length - checks
  const parts = [others > 0 && counted(others, 'session'), checks > 0 && counted(checks, 'check')]
  return `${parts.filter((part) => part !== false).join(' and ')} ${running.length === 1 ? 'is' : 'are'}`
}

function jobLine({ output, surroundings }: CommandNeeds, job: WireJobSummary, run?: WireRun): string {
  const state = output.paint(JOB_TONES[job.status], statusWord(job).padEnd(9))
  const time = elapsed(jobTimeMs(job, surroundings.now()))
  const place =
    run === undefined ? `cycle ${job.currentCycle}, ${time}` : `${runPlace(run)}, ${time}, ${run.id}`
  return `${job.id}  ${state}  ${place.padEnd(16)}  ${safeLine(job.title, TITLE_LIMIT)}`
}

/** The playbook of a run, and the stages that it is at. */
function runPlace({ playbook, visits }: WireRun): string {
  const open = visits.filter(({ status }) => status !== 'settled' && status !== 'cancelled')
  const stages = [...new Set(open.map((visit) => visitLabel({ ...visit, branch: 0 })))]
  return safeLine(stages.length === 0 ? playbook : `${playbook} at ${stages.join(', ')}`)
}

function showJobStatus(
  needs: CommandNeeds,
  outcome: JobOutcome,
  waits: TaskWaits,
  { checks, runs }: Details,
): Outcome {
  const { output } = needs
  const { job, tasks } = outcome
  const now = needs.surroundings.now()
  output.value({ success: true, data: outcome })
  output.printProse(jobLine(needs, job, runs.get(job.id)))
  printBaseCheck(needs, job, checks)
  if (job.reason !== undefined || job.lastError !== undefined)
    output.printProse(`  ${jobEndWords(job, unlandedTasks(tasks, job).length)}`)
  if (job.lastError !== undefined && job.status !== 'error') output.printProse(`  ${safeHead(job.lastError)}`)
  output.printProse(`  ${safeLine(job.repositoryPath)}, branch ${safeLine(job.workingBranch)}`)
  for (const task of tasks) {
    const state = output.paint(TASK_TONES[task.status], task.status.padEnd(9))
    output.printProse(`  ${taskName(task).padEnd(6)} ${state} ${safeLine(task.description, TITLE_LIMIT)}`)
    if (task.reason !== undefined) output.printProse(`         ${output.paint('dim', safeHead(task.reason))}`)
    const wait = waits.get(task.id)
    if (wait !== undefined)
      output.printProse(`         ${output.paint('warn', taskWaitWords(wait, now, output.hint))}`)
  }
  for (const line of jobWaitingLines(job.waiting ?? [], now, output)) output.printProse(`  ${line}`)
  return success(EXIT.done)
}
