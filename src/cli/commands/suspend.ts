import type { MusterClient } from '../../client/index.ts'
import { failure } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { withSession } from '../find-session.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'

export type SuspendFlags = { readonly reason?: string }

/** Suspends a session: stops its program, keeps its tree and conversation. */
export async function suspendCommand(
  needs: CommandNeeds,
  text: string,
  { reason }: SuspendFlags,
): Promise<Outcome> {
  return withSession(needs, text, { verb: 'suspend' }, (client, id) => suspend(needs, client, id, reason))
}

async function suspend(
  needs: CommandNeeds,
  client: MusterClient,
  id: string,
  reason: string | undefined,
): Promise<Outcome> {
  const suspended = await client.suspendSession(id, { reason })
  if (suspended.ok) {
    const next = needs.output.hint(`muster resume ${id}`)
    return printResult(needs, suspended.value, [`${id} is suspended; resume it with: ${next}`])
  }
  if (suspended.failure.type !== 'session-not-spoken-to') return failure(apiProblem(suspended.failure))
  const session = await client.getSession(id)
  const isInteractive = session.ok && session.value.mode === 'interactive'
  return failure(isInteractive ? interactiveProblem(id) : apiProblem(suspended.failure))
}

function interactiveProblem(id: string): Problem {
  return {
    type: 'session-on-screen',
    exitCode: EXIT.conflict,
    message: `${id} is interactive and cannot be suspended`,
    why: 'only its program has the conversation; detach instead, and the session keeps running',
    next: `muster attach ${id}, or: muster stop ${id}`,
  }
}
