import type { MessageOptions, MusterClient } from '../../client/index.ts'
import type { WireMessage } from '../../contract/message.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { taskName } from '../../domain/task/task-name.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { readAll } from '../read-all.ts'
import { readMessageText } from '../read-text.ts'
import { messageLines } from '../render/session/message-lines.ts'
import { resolveId, resolveJobFlag } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type MessagesFlags = { readonly job?: string; readonly questions?: true; readonly limit?: number }

const DEFAULT_LIMIT = 20
/** An older question is answered without a look at its sender. */
const SEARCHED_PAGES = 10

/** Lists the newest messages, oldest first. `agent` is a name, `role:<role>`, `person`, or a session. */
export async function messagesCommand(
  needs: CommandNeeds,
  agent: string | undefined,
  flags: MessagesFlags,
): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const job = await resolveJobFlag(client, flags.job)
    if (!job.ok) return job
    const scope = await scopeOf(client, agent)
    if (!scope.ok) return scope
    return showMessages(needs, client, {
      ...scope.value,
      job: job.value,
      kind: flags.questions === true ? 'question' : undefined,
      limit: flags.limit ?? DEFAULT_LIMIT,
    })
  })
}

type Scope = Pick<MessageOptions, 'session' | 'recipient'>

async function scopeOf(client: MusterClient, agent: string | undefined): Promise<Result<Scope, Problem>> {
  if (agent === undefined) return success({})
  if (agent.startsWith('ses_')) {
    const found = await resolveId(client, agent, ['session'])
    return found.ok ? success({ session: found.value.id }) : found
  }
  return success({ recipient: agent === 'person' || agent.includes(':') ? agent : `agent:${agent}` })
}

export async function showMessages(
  needs: Pick<CommandNeeds, 'output'>,
  client: Pick<MusterClient, 'listMessages' | 'getSession' | 'getTask'>,
  options: MessageOptions,
): Promise<Outcome> {
  return withAnswer(client.listMessages(options), async (page) => {
    const lines: string[] = []
    for (const message of page.items.toReversed()) {
      lines.push(...messageLines(message, needs.output.paint, await failedTaskOf(client, message)))
      const isOpen = message.kind === 'question' && message.to === 'person' && message.status === 'queued'
      if (isOpen && (await canReceive(client, message.from)))
        lines.push(`  answer it: ${needs.output.hint(`muster answer ${message.id} "..."`)}`)
    }
    return printResult(needs, page, lines.length === 0 ? ['no messages'] : lines)
  })
}

/** Answers a question, or replies to any other message. */
export async function answerCommand(needs: CommandNeeds, messageId: string, given: string): Promise<Outcome> {
  const text = await readMessageText(needs.surroundings, given)
  if (!text.ok) return text
  return withDaemon(needs, async (client) => {
    const found = await resolveId(client, messageId, ['message'])
    if (!found.ok) return found
    const messages = await readAll((page) => client.listMessages(page), SEARCHED_PAGES)
    if (!messages.ok) return failure(apiProblem(messages.failure))
    const message = messages.value.find(({ id }) => id === found.value.id)
    if (message !== undefined && !(await canReceive(client, message.from)))
      return failure(senderEnded(message))
    return answerMessage(needs, client, found.value.id, text.value)
  })
}

export async function answerMessage(
  needs: Pick<CommandNeeds, 'output'>,
  client: Pick<MusterClient, 'sendMessage'>,
  inReplyTo: string,
  body: string,
): Promise<Outcome> {
  return withAnswer(client.sendMessage({ inReplyTo, body }), (message) =>
    printResult(needs, message, [`${message.id} sent to ${message.to}`]),
  )
}

/** The short name of the task whose question failed. */
async function failedTaskOf(
  client: Pick<MusterClient, 'getSession' | 'getTask'>,
  { kind, status, from }: WireMessage,
): Promise<string | undefined> {
  if (kind !== 'question' || status !== 'failed' || !from.startsWith('ses_')) return undefined
  const session = await client.getSession(from)
  if (!session.ok || session.value.taskId === undefined) return undefined
  const task = await client.getTask(session.value.taskId)
  return task.ok ? taskName(task.value) : undefined
}

/** A session that has ended receives no answers. */
async function canReceive(client: Pick<MusterClient, 'getSession'>, sender: string): Promise<boolean> {
  if (!sender.startsWith('ses_')) return true
  const session = await client.getSession(sender)
  return !session.ok || session.value.status !== 'terminated'
}

function senderEnded({ id, from }: WireMessage): Problem {
  return {
    type: 'asker-gone',
    exitCode: EXIT.conflict,
    message: 'the session that asked has ended and cannot receive the answer',
    why: `${id} is from ${from}`,
    next: `muster show ${from}`,
  }
}
