import type { MusterClient } from '../../client/index.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome, Problem } from '../problem.ts'
import { withFound } from '../with-daemon.ts'

export type SuspendFlags = { readonly reason?: string }

/** Lets a session rest: its program is stopped, its tree and its conversation stay. */
export async function suspendCommand(
  needs: CommandNeeds,
  text: string,
  { reason }: SuspendFlags,
): Promise<Outcome> {
  return withFound(needs, text, ['session'], (client, { id }) => suspend(needs, client, id, reason))
}

async function suspend(
  needs: CommandNeeds,
  client: MusterClient,
  id: string,
  reason: string | undefined,
): Promise<Outcome> {
  const suspended = await client.suspendSession(id, { reason })
  if (suspended.ok) {
    needs.output.value({ success: true, data: suspended.value })
    needs.output.print(`${id} rests; let it go on with: ${needs.output.hint(`muster resume ${id}`)}`)
    return success(EXIT.done)
  }
  if (suspended.failure.type !== 'session-not-spoken-to') return failure(apiProblem(suspended.failure))
  const session = await client.getSession(id)
  const isInteractive = session.ok && session.value.mode === 'interactive'
  return failure(isInteractive ? onScreen(id) : apiProblem(suspended.failure))
}

function onScreen(id: string): Problem {
  return {
    type: 'session-on-screen',
    exitCode: EXIT.conflict,
    message: `${id} is on a screen of its own and cannot be suspended`,
    why: 'only its program knows the conversation; leave it as it is, nothing is lost when you detach',
    next: `muster attach ${id}, or: muster stop ${id}`,
  }
}
