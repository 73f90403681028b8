import { randomUUID } from 'node:crypto'
import type { MusterClient } from '../../client/index.ts'
import type { WirePersonMessageRequest } from '../../contract/message.ts'
import type { MessagePriority, MessageType } from '../../domain/message/message-type.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { findNewestRun, findRun } from '../find-run.ts'
import { withSession } from '../find-session.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { readMessageText } from '../read-text.ts'
import { recipientName } from '../render/session/conversation-lines.ts'
import { resolveId } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type SendFlags = {
  readonly run?: string
  readonly type?: MessageType
  readonly priority?: MessagePriority
  readonly subject?: string
}

/** What is addressed within a run. */
const ADDRESS = /^(?:role|agent):|^broadcast$|^orchestrator$/

/** Sends text to a session's program, or a message to those who work on a run. */
export async function sendCommand(
  needs: CommandNeeds,
  whom: string,
  given: string,
  flags: SendFlags,
): Promise<Outcome> {
  const text = await readMessageText(needs.surroundings, given)
  if (!text.ok) return text
  const body = text.value
  const isMessage = [flags.run, flags.type, flags.priority, flags.subject].some((flag) => flag !== undefined)
  const isOfRun = flags.run !== undefined || ADDRESS.test(whom) || whom.startsWith('run_')
  if (isOfRun) return sendToRun(needs, whom, body, flags)
  return withSession(needs, whom, { verb: 'send', rest: ' "..."' }, (client, id) =>
    isMessage ? post(needs, client, { to: id, body }, flags) : say(needs, client, id, body),
  )
}

async function say({ output, ...needs }: CommandNeeds, client: MusterClient, id: string, text: string) {
  return withAnswer(client.say(id, text), (session) => {
    const when = session.openTurns > 0 ? 'gets the text after its current turn' : 'gets the text now'
    // The screen of an interactive session is not in the logs.
    const next =
      session.mode === 'interactive'
        ? `see its screen: ${output.hint(`muster attach ${id}`)}`
        : `follow it with: ${output.hint(`muster logs ${id} -f`)}`
    return printResult({ ...needs, output }, session, [`${id} ${when}; ${next}`])
  })
}

async function sendToRun(
  needs: CommandNeeds,
  whom: string,
  body: string,
  flags: SendFlags,
): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const address = await addressOf(needs, client, whom, flags.run)
    return address.ok ? post(needs, client, { ...address.value, body }, flags) : address
  })
}

/** A run means everyone in it; with --run, a plain name means a role. */
async function addressOf(
  needs: CommandNeeds,
  client: MusterClient,
  whom: string,
  run: string | undefined,
): Promise<Result<{ readonly to: string; readonly runId: string }, Problem>> {
  if (run !== undefined) {
    const runId = await findRun(needs, client, run)
    const to = ADDRESS.test(whom) || whom.startsWith('ses_') ? whom : `role:${whom}`
    return runId.ok ? success({ to, runId: runId.value }) : runId
  }
  if (whom.startsWith('run_')) {
    const found = await resolveId(client, whom, ['run'])
    return found.ok ? success({ to: 'broadcast', runId: found.value.id }) : found
  }
  const here = { cwd: needs.surroundings.cwd, say: needs.output.note, isChange: true }
  const newest = await findNewestRun(client, here)
  if (!newest.ok) return newest
  const runId = newest.value.run
  return runId === undefined ? failure(noRun(newest.value.job, whom)) : success({ to: whom, runId })
}

async function post(
  needs: CommandNeeds,
  client: MusterClient,
  message: WirePersonMessageRequest,
  { type, priority, subject }: SendFlags,
): Promise<Outcome> {
  const request = { ...message, type, priority, subject }
  return withAnswer(client.sendMessage(request, { idempotencyKey: randomUUID() }), (sent) => {
    const { runId } = message
    const ofRun = runId === undefined ? '' : ` of ${runId}`
    const read = runId ?? sent.id
    return printResult(needs, sent, [
      `${sent.id} sent to ${recipientName(sent)}${ofRun}; read it with: ${needs.output.hint(`muster messages ${read}`)}`,
    ])
  })
}

function noRun(job: string, whom: string): Problem {
  return {
    type: 'id-unknown',
    exitCode: EXIT.usage,
    message: `${job} has no run of a playbook, so name the run that ${whom} works on`,
    next: `muster send ${whom} "..." --run RUN`,
  }
}
