import type { MusterClient } from '../../client/index.ts'
import { failure } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { withAnswer, withChanged } from '../with-daemon.ts'

export type ResumeFlags = { readonly message?: string }

/** Resumes a paused job or a suspended session. */
export async function resumeCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: ResumeFlags,
): Promise<Outcome> {
  return withChanged(needs, text, ['job', 'session'], (client, { kind, id }) =>
    kind === 'session' ? resumeSession(needs, client, id, flags) : resumeJob(needs, client, id, flags),
  )
}

async function resumeJob(
  needs: CommandNeeds,
  client: MusterClient,
  id: string,
  flags: ResumeFlags,
): Promise<Outcome> {
  if (flags.message !== undefined) {
    return failure({
      type: 'bad-arguments',
      exitCode: EXIT.usage,
      message: `${id} is a job; --message is only for sessions`,
      next: `muster resume ${id}`,
    })
  }
  return withAnswer(client.resumeJob(id), (job) =>
    printResult(needs, job, [`${id} is resumed; follow it with: ${needs.output.hint(`muster watch ${id}`)}`]),
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
