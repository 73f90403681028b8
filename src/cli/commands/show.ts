import type { MusterClient, WireLanding, WireTaskDetail } from '../../client/index.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { readAll, readJobOutcome } from '../follow/job-outcome.ts'
import { readTaskWaits } from '../follow/task-waits.ts'
import type { Outcome } from '../problem.ts'
import { approvalLines } from '../render/approval/approval-lines.ts'
import { jobDetailLines, landingDetailLines, taskDetailLines } from '../render/job/record-details.ts'
import { jobWaitingLines } from '../render/job/waiting-lines.ts'
import { sessionDetailLines } from '../render/session/session-details.ts'
import { taskWaitWords } from '../render/task/task-wait-words.ts'
import { lookOf } from '../render/text/look.ts'
import type { FoundId } from '../resolve-id.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

const PAGE = 200

/** One thing whole. */
export async function showCommand(needs: CommandNeeds, text: string): Promise<Outcome> {
  return withFound(needs, text, ['job', 'task', 'session', 'landing', 'approval'], (client, found) =>
    showFound(needs, client, found),
  )
}

function showFound(needs: CommandNeeds, client: MusterClient, found: FoundId): Promise<Outcome> {
  const now = needs.surroundings.now()
  switch (found.kind) {
    case 'job':
      return withAnswer(readJobOutcome(client, found.id), (outcome) =>
        show(needs, outcome, [
          ...jobDetailLines(outcome.job, outcome.tasks, now, lookOf(needs)),
          ...jobWaitingLines(outcome.job.waiting ?? [], now, needs.output),
        ]),
      )
    case 'task':
      return withAnswer(client.getTask(found.id), (task) => showTask(needs, client, task))
    case 'session':
      return withAnswer(client.getSession(found.id), (session) =>
        show(needs, session, sessionDetailLines(session, now, lookOf(needs))),
      )
    case 'landing':
      return showLanding(needs, client, found.id)
    case 'approval':
      return withAnswer(client.getApproval(found.id), (approval) =>
        show(needs, approval, approvalLines(approval, now, lookOf(needs), 'whole')),
      )
    default:
      return assertNever(found.kind)
  }
}

async function showTask(needs: CommandNeeds, client: MusterClient, task: WireTaskDetail): Promise<Outcome> {
  const { hint } = needs.output
  const job = await client.getJob(task.jobId)
  const waits = job.ok ? await readTaskWaits(client, job.value, [task]) : undefined
  const wait = waits?.get(task.id)
  const words = wait === undefined ? undefined : taskWaitWords(wait, needs.surroundings.now(), hint)
  return show(needs, task, taskDetailLines(task, lookOf(needs), words, job.ok ? job.value.status : undefined))
}

/** Landings are listed by job only, newest jobs first. */
async function showLanding(needs: CommandNeeds, client: MusterClient, id: string): Promise<Outcome> {
  return withAnswer(
    readAll((cursor) => client.listJobs({ limit: PAGE, cursor })),
    async (jobs) => {
      for (const job of jobs) {
        const landings = await readAll((cursor) => client.listLandings({ job: job.id, limit: PAGE, cursor }))
        const landing = landings.ok ? landings.value.find((candidate) => candidate.id === id) : undefined
        if (landing !== undefined) return showOneLanding(needs, landing)
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

function showOneLanding(needs: CommandNeeds, landing: WireLanding): Outcome {
  return show(needs, landing, landingDetailLines(landing, lookOf(needs)))
}

function show(needs: CommandNeeds, data: unknown, lines: readonly string[]): Outcome {
  needs.output.value({ success: true, data })
  for (const line of lines) needs.output.print(line)
  return success(EXIT.done)
}
