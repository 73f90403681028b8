import type { MusterClient } from '../../client/index.ts'
import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

export type ResumeFlags = { readonly message?: string }

/** Lets a paused job or a resting session go on. */
export async function resumeCommand(needs: CommandNeeds, text: string, flags: ResumeFlags): Promise<Outcome> {
  return withFound(needs, text, ['job', 'session'], (client, { kind, id }) =>
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
      message: `${id} is a job, and --message is for sessions`,
      next: `muster resume ${id}`,
    })
  }
  return withAnswer(client.resumeJob(id), (job) => {
    needs.output.value({ success: true, data: job })
    needs.output.print(`${id} goes on; follow it with: ${needs.output.hint(`muster events ${id} -f`)}`)
    return success(EXIT.done)
  })
}

async function resumeSession(
  needs: CommandNeeds,
  client: MusterClient,
  id: string,
  { message: prompt }: ResumeFlags,
): Promise<Outcome> {
  return withAnswer(client.resumeSession(id, { prompt }), (session) => {
    needs.output.value({ success: true, data: session })
    needs.output.print(`${id} goes on; follow it with: ${needs.output.hint(`muster logs ${id} -f`)}`)
    return success(EXIT.done)
  })
}
