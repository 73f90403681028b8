import { randomUUID } from 'node:crypto'
import type { MusterClient } from '../../client/index.ts'
import { failure } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
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
  return withAnswer(client.resumeJob(id), (job) =>
    printResult(needs, job, [`${id} is resumed; follow it with: ${needs.output.hint(`muster watch ${id}`)}`]),
  )
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
