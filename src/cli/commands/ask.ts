import type { MusterClient, WireSession, WireSessionQuestion } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT } from '../exit-code.ts'
import { sessionEvents } from '../follow/resilient-events.ts'
import { watchEvents } from '../follow/watch-events.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { readMessageText } from '../read-text.ts'
import { sessionEndWords, turnWords } from '../render/session/session-words.ts'
import { safeText } from '../render/text/safe-text.ts'
import { resolveId, resolveJobFlag } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type AskSessionFlags = { readonly job?: string; readonly timeout?: number }

/** Asks an earlier session, or the newest one of a role or an agent, and waits for the answer. */
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

/** `whom` is the ID of a session, `agent:<name>`, or a role. */
async function addressOf(
  client: MusterClient,
  whom: string,
  flags: AskSessionFlags,
): Promise<Result<Address, Problem>> {
  if (whom.startsWith('ses_')) {
    const found = await resolveId(client, whom, ['session'])
    return found.ok ? success({ sessionId: found.value.id }) : found
  }
  const job = await resolveJobFlag(client, flags.job)
  if (!job.ok) return job
  const [, kind = 'role', name = whom] = /^(agent|role):(.+)$/s.exec(whom) ?? []
  return success({ ...(kind === 'agent' ? { agent: name } : { role: name }), job: job.value })
}

/** Ctrl-C also ends the question, because no one would see the answer. */
async function awaitAnswer(needs: CommandNeeds, link: DaemonLink, asking: WireSession): Promise<Outcome> {
  const { output } = needs
  const { client } = link
  const asked = asking.purpose.type === 'query' ? asking.purpose.of : asking.agent
  output.note(`asking ${asked}; Ctrl-C cancels the question (session ${asking.id})`)
  const watched = await watchEvents(
    { ...needs, link },
    (signal) => sessionEvents({ link, say: output.note }, asking.id, signal),
    async () => {},
  )
  if (!watched.ok) return watched
  if (watched.value === EXIT.interrupted || output.closed.aborted) {
    const stopped = await client.stopSession(asking.id, { reason: 'the person who asked stopped waiting' })
    return stopped.ok ? success(EXIT.interrupted) : failure(apiProblem(stopped.failure))
  }
  return withAnswer(client.getSession(asking.id), (session) => showAnswer(needs, session))
}

function showAnswer(needs: CommandNeeds, session: WireSession): Outcome {
  const turn = session.end?.type === 'finished' ? session.end.turn : session.turn
  if (turn?.type === 'done') return printResult(needs, session, [safeText(turn.text).trimEnd()])
  const end = session.end === undefined ? 'the session has not ended' : sessionEndWords(session.end)
  return failure({
    type: 'question-unanswered',
    exitCode: EXIT.failed,
    message: 'the question was not answered',
    why: turn === undefined ? end : turnWords(turn),
    next: `muster logs ${session.id}`,
  })
}
