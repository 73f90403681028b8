import type { ApiError, MusterClient, WireJob } from '../../client/index.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { readJobOutcome } from '../follow/job-outcome.ts'
import type { Outcome, Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { withFound } from '../with-daemon.ts'

export type CancelFlags = { readonly reason?: string }

export async function cancelCommand(needs: CommandNeeds, text: string, flags: CancelFlags): Promise<Outcome> {
  return withFound(needs, text, ['job'], (client, { id }) => cancelJob(needs, client, id, flags))
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
  needs.output.value({ success: true, data: job })
  if (!needs.output.json) needs.output.print(`${id} is cancelled; ${await landedWords(client, job)}`)
  return success(EXIT.done)
}

async function cancelProblem(client: MusterClient, id: string, error: ApiError): Promise<Problem> {
  const problem = apiProblem(error)
  if (error.type !== 'illegal-transition') return problem
  const job = await client.getJob(id)
  if (!job.ok) return problem
  return { ...problem, message: `${id} is ${job.value.status} already`, next: `muster show ${id}` }
}

async function landedWords(client: MusterClient, job: WireJob): Promise<string> {
  const outcome = await readJobOutcome(client, job.id)
  if (!outcome.ok) return `what landed before, if anything, is on branch ${safeLine(job.workingBranch)}`
  const landed = outcome.value.tasks.some((task) => task.status === 'completed')
  return landed
    ? `what landed before is on branch ${safeLine(job.workingBranch)}`
    : 'nothing had landed before'
}
