import type { MusterClient, WireRun, WireTaskDetail } from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { failure } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { type JobOutcome, readJobOutcome } from '../follow/job-outcome.ts'
import { readMergeReadiness } from '../follow/merge-readiness.ts'
import { readTaskWaits, type TaskWait } from '../follow/task-waits.ts'
import { readUnlandedWork } from '../follow/unlanded-work.ts'
import { printExactly, printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { approvalLines } from '../render/approval/approval-lines.ts'
import { jobDetailLines, landingDetailLines, taskDetailLines } from '../render/job/record-details.ts'
import { runLines } from '../render/run/run-lines.ts'
import { sessionDetailLines } from '../render/session/session-details.ts'
import { taskWaitWords } from '../render/task/task-wait-words.ts'
import { displayOf } from '../render/text/display.ts'
import { findMovedRepository } from '../repository/moved-repository.ts'
import { taskNamesFor } from '../repository/newest-job.ts'
import type { FoundId } from '../resolve-id.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

/** Prints the details of one record. */
export async function showCommand(needs: CommandNeeds, text: string | undefined): Promise<Outcome> {
  return withFound(needs, text, ['job', 'task', 'session', 'landing', 'run', 'approval'], (client, found) =>
    showFound(needs, client, found),
  )
}

function showFound(needs: CommandNeeds, client: MusterClient, found: FoundId): Promise<Outcome> {
  const now = needs.surroundings.now()
  switch (found.kind) {
    case 'job':
      return withAnswer(readJobOutcome(client, found.id), (outcome) => showJob(needs, client, outcome))
    case 'task':
      return withAnswer(client.getTask(found.id), (task) => showTask(needs, client, task))
    case 'session':
      return withAnswer(client.getSession(found.id), (session) =>
        printResult(needs, session, sessionDetailLines(session, now, displayOf(needs))),
      )
    case 'landing':
      return showLanding(needs, client, found.id)
    case 'run':
      return withAnswer(client.getRun(found.id), (run) =>
        printResult(needs, run, runLines(run, displayOf(needs)).slice(1)),
      )
    case 'approval':
      return withAnswer(client.getApproval(found.id), (approval) =>
        printExactly(needs, approval, approvalLines(approval, now, displayOf(needs), 'whole')),
      )
    default:
      return assertNever(found.kind)
  }
}

async function showJob(needs: CommandNeeds, client: MusterClient, outcome: JobOutcome): Promise<Outcome> {
  const now = needs.surroundings.now()
  const readiness = needs.output.json ? undefined : await readMergeReadiness(needs, client, outcome)
  const unlanded = needs.output.json ? [] : await readUnlandedWork(client, outcome.job)
  const { repositoryPath } = outcome.job
  // A daemon on another machine has its repositories there.
  const moved = needs.options.server === undefined ? await findMovedRepository(repositoryPath) : undefined
  if (moved !== undefined) needs.output.note(`warning: ${moved.message} ${moved.next}`)
  const names = await taskNamesFor(client, needs.surroundings.cwd, outcome.job.id)
  const options = { names, readiness, unlanded }
  const lines = jobDetailLines(outcome.job, outcome.tasks, now, displayOf(needs), options)
  return printResult(needs, outcome, lines)
}

async function showTask(needs: CommandNeeds, client: MusterClient, task: WireTaskDetail): Promise<Outcome> {
  const { hint } = needs.output
  const job = await client.getJob(task.jobId)
  const waits = job.ok ? await readTaskWaits(client, job.value, [task]) : undefined
  const wait = landingWait(task) ?? waits?.get(task.id)
  const words = wait === undefined ? undefined : taskWaitWords(wait, needs.surroundings.now(), hint)
  const display = displayOf(needs)
  return printResult(needs, task, [
    ...taskDetailLines(task, display, words, job.ok ? job.value.status : undefined),
    ...(await runsOf(client, task)).flatMap((run) => runLines(run, display)),
  ])
}

async function runsOf(
  client: MusterClient,
  { jobId, id, playbook }: WireTaskDetail,
): Promise<readonly WireRun[]> {
  const runs = playbook === undefined ? undefined : await client.listRuns({ job: jobId })
  return runs?.ok === true ? runs.value.items.filter(({ taskId }) => taskId === id) : []
}

function landingWait({ status, landings }: WireTaskDetail): TaskWait | undefined {
  const approvalId = landings.findLast((landing) => landing.approvalId !== undefined)?.approvalId
  if (status !== 'landing' || approvalId === undefined) return undefined
  return { type: 'landing-approval', approvalId }
}

/** The API lists landings only by job, so all jobs are searched, newest first. */
async function showLanding(needs: CommandNeeds, client: MusterClient, id: string): Promise<Outcome> {
  return withAnswer(
    readAll((page) => client.listJobs(page)),
    async (jobs) => {
      for (const job of jobs) {
        const landings = await readAll((page) => client.listLandings({ job: job.id, ...page }))
        const landing = landings.ok ? landings.value.find((candidate) => candidate.id === id) : undefined
        if (landing !== undefined) {
          return printResult(needs, landing, landingDetailLines(landing, displayOf(needs)))
        }
      }
      return failure({
        type: 'id-unknown',
        exitCode: EXIT.usage,
        message: `there is no landing ${id}`,
        next: 'muster list jobs',
      })
    },
  )
}
