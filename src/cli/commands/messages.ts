import type { MessageOptions, MusterClient } from '../../client/index.ts'
import type { WireMessage } from '../../contract/message.ts'
import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome, Problem } from '../problem.ts'
import { messageLines } from '../render/session/message-lines.ts'
import { resolveId } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'
import { readMessageText } from './agent/read-message-text.ts'
import { findMessage } from './find-message.ts'

export type MessagesFlags = { readonly job?: string; readonly questions?: true; readonly limit?: number }

const DEFAULT_LIMIT = 20

/** Messages, oldest of the newest first. An agent is its name, `role:<role>`, `person`, or a session. */
export async function messagesCommand(
  needs: CommandNeeds,
  agent: string | undefined,
  flags: MessagesFlags,
): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const job = flags.job === undefined ? undefined : await resolveId(client, flags.job, ['job'])
    if (job?.ok === false) return job
    return showMessages(needs, client, {
      ...scopeOf(agent),
      job: job?.value.id,
      kind: flags.questions === true ? 'question' : undefined,
      limit: flags.limit ?? DEFAULT_LIMIT,
    })
  })
}

/** A person answers a question, or replies to any other message. */
export async function answerCommand(needs: CommandNeeds, messageId: string, given: string): Promise<Outcome> {
  const text = await readMessageText(needs.surroundings, given)
  if (!text.ok) return text
  return withDaemon(needs, async (client) => {
    const message = await findMessage(client, messageId)
    if (!message.ok) return message
    if (!(await canHear(client, message.value.from))) return failure(nobodyHears(message.value))
    return answerMessage(needs, client, message.value.id, text.value)
  })
}

/** Whether an answer would still be read: a session that has ended reads nothing. */
async function canHear(client: Pick<MusterClient, 'getSession'>, sender: string): Promise<boolean> {
  if (!sender.startsWith('ses_')) return true
  const session = await client.getSession(sender)
  return !session.ok || session.value.status !== 'terminated'
}

function nobodyHears({ id, from }: WireMessage): Problem {
  return {
    type: 'asker-gone',
    exitCode: EXIT.conflict,
    message: 'nobody hears the answer any more',
    why: `the session ended: ${from}, which wrote ${id}`,
    next: `muster show ${from}`,
  }
}

export async function showMessages(
  needs: Pick<CommandNeeds, 'output'>,
  client: Pick<MusterClient, 'listMessages' | 'getSession'>,
  options: MessageOptions,
): Promise<Outcome> {
  return withAnswer(client.listMessages(options), async (page) => {
    needs.output.value({ success: true, data: page })
    if (page.items.length === 0) needs.output.print('no messages')
    for (const message of page.items.toReversed()) {
      for (const line of messageLines(message, needs.output.paint)) needs.output.print(line)
      const waits = message.kind === 'question' && message.to === 'person' && message.status === 'queued'
      if (waits && (await canHear(client, message.from)))
        needs.output.print(`  answer it: ${needs.output.hint(`muster answer ${message.id} "..."`)}`)
    }
    return success(EXIT.done)
  })
}

export async function answerMessage(
  needs: Pick<CommandNeeds, 'output'>,
  client: Pick<MusterClient, 'sendMessage'>,
  inReplyTo: string,
  body: string,
): Promise<Outcome> {
  return withAnswer(client.sendMessage({ inReplyTo, body }), (message) => {
    needs.output.value({ success: true, data: message })
    needs.output.print(`${message.id} goes to ${message.to}`)
    return success(EXIT.done)
  })
}

function scopeOf(agent: string | undefined): Pick<MessageOptions, 'session' | 'recipient'> {
  if (agent === undefined) return {}
  if (agent.startsWith('ses_')) return { session: agent }
  return { recipient: agent === 'person' || agent.includes(':') ? agent : `agent:${agent}` }
}
