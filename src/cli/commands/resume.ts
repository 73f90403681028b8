import { randomUUID } from 'node:crypto'
import type { MusterClient } from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import { failure } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { isFinished } from '../render/job/job-words.ts'
import { withAnswer, withChanged } from '../with-daemon.ts'

export type ResumeFlags = { readonly message?: string }

/** Resumes a paused job, a suspended session, or a run that was stopped. */
export async function resumeCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: ResumeFlags,
): Promise<Outcome> {
  return withChanged(needs, text, ['job', 'session', 'run'], (client, { kind, id }) => {
    if (kind === 'session') return resumeSession(needs, client, id, flags)
    return kind === 'run' ? resumeRun(needs, client, id, flags) : resumeJob(needs, client, id, flags)
  })
}

async function resumeJob(
  needs: CommandNeeds,
  client: MusterClient,
  id: string,
  flags: ResumeFlags,
): Promise<Outcome> {
  if (flags.message !== undefined) return failure(noMessage(id, 'job'))
  const resumed = await client.resumeJob(id)
  if (!resumed.ok) return failure(await withRunToResume(client, id, apiProblem(resumed.failure)))
  const watch = needs.output.hint(`muster watch ${id}`)
  return printResult(needs, resumed.value, [`${id} is resumed; follow it with: ${watch}`])
}

/** A job that has ended can't be resumed, but the run that it followed may be. */
async function withRunToResume(client: MusterClient, id: string, problem: Problem): Promise<Problem> {
  const job = problem.exitCode === EXIT.conflict ? await client.getJob(id) : undefined
  if (job?.ok !== true || job.value.playbook === undefined || !isFinished(job.value)) return problem
  const runs = await readAll((page) => client.listRuns({ job: id, ...page }))
  const last = runs.ok ? runs.value.at(-1) : undefined
  const resume = last?.next.find(({ command }) => command.startsWith('muster resume '))
  return resume === undefined ? problem : { ...problem, next: resume.command }
}

function noMessage(id: string, what: 'job' | 'run'): Problem {
  return {
    type: 'bad-arguments',
    exitCode: EXIT.usage,
    message: `${id} is a ${what}; --message is only for sessions`,
    next: `muster resume ${id}`,
  }
}

/** A run whose job has ended continues in a new job. */
async function resumeRun(
  needs: CommandNeeds,
  client: MusterClient,
  id: string,
  flags: ResumeFlags,
): Promise<Outcome> {
  if (flags.message !== undefined) return failure(noMessage(id, 'run'))
  return withAnswer(client.resumeRun(id, { idempotencyKey: randomUUID() }), (job) =>
    printResult(needs, job, [
      `${id} continues in ${job.id}; follow it with: ${needs.output.hint(`muster watch ${job.id}`)}`,
    ]),
  )
}

async function resumeSession(
  needs: CommandNeeds,
  client: MusterClient,
  id: string,
  { message: prompt }: ResumeFlags,
): Promise<Outcome> {
  return withAnswer(client.resumeSession(id, { prompt }), (session) =>
    printResult(needs, session, [
      `${id} is resumed; follow it with: ${needs.output.hint(`muster logs ${id} -f`)}`,
    ]),
  )
}
