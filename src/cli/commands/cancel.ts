import type { ApiError, MusterClient, WireJob, WireJobSummary } from '../../client/index.ts'
import { PAGE_LIMIT } from '../../client/read-all.ts'
import { failure } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { readJobOutcome } from '../follow/job-outcome.ts'
import { readUnlandedWork } from '../follow/unlanded-work.ts'
import { noOpenJob, unnamedJob } from '../id-problems.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { unlandedLines } from '../render/job/unlanded-lines.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { ofRepository } from '../repository/newest-job.ts'
import { findNewest } from '../resolve-id.ts'
import { withAnswer, withChanged, withDaemon } from '../with-daemon.ts'

export type CancelFlags = { readonly reason?: string }

const TITLE_LIMIT = 60
const OPEN: readonly WireJobSummary['status'][] = ['pending', 'running', 'paused']

/** Can't be undone, so without a name it only says which job it would be. */
export async function cancelCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: CancelFlags,
): Promise<Outcome> {
  if (text === undefined) return withDaemon(needs, (client) => nameJob(needs, client))
  return withChanged(needs, text, ['job'], (client, { id }) => cancelJob(needs, client, id, flags))
}

/** Says which open job of this repository it would be. A job that has ended can't be cancelled. */
async function nameJob({ surroundings, output }: CommandNeeds, client: MusterClient): Promise<Outcome> {
  const here = { cwd: surroundings.cwd, say: () => {}, isChange: true }
  const newest = await findNewest(client, here)
  if (!newest.ok) return newest
  return withAnswer(client.listJobs({ limit: PAGE_LIMIT }), async ({ items }) => {
    const own = await ofRepository(items, surroundings.cwd)
    const open = own.find(({ status }) => OPEN.includes(status))
    if (open === undefined) return failure(noOpenJob('cancel'))
    output.note(`${open.id}: ${safeLine(open.title, TITLE_LIMIT)}`)
    return failure(unnamedJob('cancel', open.id))
  })
}

export async function cancelJob(
  needs: CommandNeeds,
  client: MusterClient,
  id: string,
  flags: CancelFlags,
): Promise<Outcome> {
  const cancelled = await client.cancelJob(id, { reason: flags.reason })
  if (!cancelled.ok) return failure(await cancelProblem(client, id, cancelled.failure))
  const job = cancelled.value
  if (needs.output.json) return printResult(needs, job, [])
  const unlanded = unlandedLines(await readUnlandedWork(client, job))
  return printResult(needs, job, [
    `${id} is cancelled; ${await landedWords(client, job)}`,
    ...unlanded,
    ...(unlanded.length === 0 ? [] : [`try: ${needs.output.hint(`muster recover ${id}`)}`]),
  ])
}

async function cancelProblem(client: MusterClient, id: string, error: ApiError): Promise<Problem> {
  const problem = apiProblem(error)
  if (error.type !== 'illegal-transition') return problem
  const job = await client.getJob(id)
  if (!job.ok) return problem
  return { ...problem, message: `${id} has already ended (${job.value.status})`, next: `muster show ${id}` }
}

async function landedWords(client: MusterClient, job: WireJob): Promise<string> {
  const outcome = await readJobOutcome(client, job.id)
  if (!outcome.ok) return `anything that landed is on branch ${safeLine(job.workingBranch)}`
  const landed = outcome.value.tasks.some((task) => task.status === 'completed')
  return landed ? `the work that landed is on branch ${safeLine(job.workingBranch)}` : 'nothing had landed'
}
