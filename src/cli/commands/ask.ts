import {
  FollowError,
  type MusterClient,
  type WireSession,
  type WireSessionQuestion,
} from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT } from '../exit-code.ts'
import { lastingEvents } from '../follow/lasting-events.ts'
import type { Outcome, Problem } from '../problem.ts'
import { sessionEndWords, turnWords } from '../render/session/session-words.ts'
import { safeText } from '../render/text/safe-text.ts'
import { resolveId } from '../resolve-id.ts'
import { stopSignals } from '../stop-signals.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'
import { readMessageText } from './agent/read-message-text.ts'

export type AskSessionFlags = { readonly job?: string; readonly timeout?: number }

/** Asks an earlier session, or the newest of a role or an agent, what it knows, and waits for the answer. */
export async function askCommand(
  needs: CommandNeeds,
  whom: string,
  given: string,
  flags: AskSessionFlags,
): Promise<Outcome> {
  const question = await readMessageText(needs.surroundings, given)
  if (!question.ok) return question
  return withDaemon(needs, async (client, link) => {
    const addressed = await addressOf(client, whom, flags)
    if (!addressed.ok) return addressed
    const request = { ...addressed.value, question: question.value, timeoutSeconds: flags.timeout }
    return withAnswer(client.askSession(request), (asking) => awaitAnswer(needs, link, asking))
  })
}

type Address = Pick<WireSessionQuestion, 'sessionId' | 'role' | 'agent' | 'job'>

/** Text that is no session's id is a role, unless it says that it is an agent: `agent:name`. */
async function addressOf(
  client: MusterClient,
  whom: string,
  flags: AskSessionFlags,
): Promise<Result<Address, Problem>> {
  if (whom.startsWith('ses_')) {
    const found = await resolveId(client, whom, ['session'])
    return found.ok ? success({ sessionId: found.value.id }) : found
  }
  const job = flags.job === undefined ? undefined : await resolveId(client, flags.job, ['job'])
  if (job?.ok === false) return job
  const [, kind = 'role', name = whom] = /^(agent|role):(.+)$/s.exec(whom) ?? []
  return success({ ...(kind === 'agent' ? { agent: name } : { role: name }), job: job?.value.id })
}

/** Leaving is the end of the question too: nobody would hear the answer. */
async function awaitAnswer(needs: CommandNeeds, link: DaemonLink, asking: WireSession): Promise<Outcome> {
  const { output, surroundings } = needs
  const { client } = link
  const asked = asking.purpose.type === 'query' ? asking.purpose.of : asking.agent
  output.note(`asking ${asked} in ${asking.id}; Ctrl-C stops it`)
  using stop = stopSignals(surroundings)
  const left = AbortSignal.any([stop.signal, output.closed])
  const over = await untilOver(needs, link, asking.id, left)
  if (!over.ok) return over
  if (left.aborted) {
    const stopped = await client.stopSession(asking.id, { reason: 'whoever asked has left' })
    return stopped.ok ? success(EXIT.interrupted) : failure(apiProblem(stopped.failure))
  }
  return withAnswer(client.getSession(asking.id), (session) => showAnswer(needs, session))
}

async function untilOver(
  needs: CommandNeeds,
  link: DaemonLink,
  sessionId: string,
  left: AbortSignal,
): Promise<Result<void, Problem>> {
  const events = lastingEvents(
    { link, say: needs.output.note },
    (options) => link.client.followSession(sessionId, options),
    left,
  )
  try {
    for await (const _ of events) if (left.aborted) break
  } catch (error) {
    if (!(error instanceof FollowError)) throw error
    if (!left.aborted) return failure(apiProblem(error.error))
  }
  const problem = left.aborted ? undefined : link.problem()
  return problem === undefined ? success(undefined) : failure(problem)
}

function showAnswer(needs: CommandNeeds, session: WireSession): Outcome {
  const turn = session.end?.type === 'finished' ? session.end.turn : session.turn
  if (turn?.type === 'done') {
    needs.output.value({ success: true, data: session })
    needs.output.print(safeText(turn.text).trimEnd())
    return success(EXIT.done)
  }
  const end = session.end === undefined ? 'it has not ended' : sessionEndWords(session.end)
  return failure({
    type: 'question-unanswered',
    exitCode: EXIT.failed,
    message: 'the question was not answered',
    why: turn === undefined ? end : turnWords(turn),
    next: `muster logs ${session.id}`,
  })
}
