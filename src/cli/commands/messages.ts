import type { MessageOptions, MusterClient } from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import type { WireMessage } from '../../contract/message.ts'
import type { MessageType } from '../../domain/message/message-type.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { taskName } from '../../domain/task/task-name.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { findQuestion } from '../find-question.ts'
import { withPager } from '../pager/with-pager.ts'
import { type Since, startOf } from '../parse/since-flag.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { readMessageText } from '../read-text.ts'
import { conversationLines } from '../render/session/conversation-lines.ts'
import { messageLines } from '../render/session/message-lines.ts'
import { resolveJobFlag } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'
import { type MessageScope, messageScope, newestScope, threadOf } from './message-scope.ts'

export type MessagesFlags = {
  readonly all?: true
  readonly job?: string
  readonly questions?: true
  readonly type?: MessageType
  readonly role?: string
  readonly thread?: string
  readonly since?: Since
  readonly limit?: number
}

const DEFAULT_LIMIT = 20
/** What names a message, a task or a session, and so is no answer. */
const NAME = /^(?:msg|tsk|ses)_\w+$|^t\d+-\d+$/
/** A conversation that is longer is cut to its newest messages. */
const CONVERSATION_PAGES = 50

/** Prints the conversation of a run or thread, the newest messages of a record or of all jobs, or one message. */
export async function messagesCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: MessagesFlags,
): Promise<Outcome> {
  if (flags.all === true && text !== undefined) return failure(allOfOne())
  return withPager(needs, (paged) =>
    withDaemon(paged, async (client) => {
      const options = await optionsOf(paged, client, text, flags)
      if (!options.ok) return options
      const { message, ...listed } = options.value
      if (message !== undefined) return showWhole(paged, client, message)
      const isConversation = listed.run !== undefined || listed.thread !== undefined
      const show = isConversation ? showConversation : showMessages
      return show(paged, client, listed)
    }),
  )
}

async function optionsOf(
  needs: CommandNeeds,
  client: MusterClient,
  text: string | undefined,
  { role, ...flags }: MessagesFlags,
): Promise<Result<MessageOptions & Pick<MessageScope, 'message'>, Problem>> {
  const job = await resolveJobFlag(client, flags.job)
  if (!job.ok) return job
  const thread = flags.thread === undefined ? success(undefined) : await threadOf(client, flags.thread)
  if (!thread.ok) return thread
  const here = { cwd: needs.surroundings.cwd, say: needs.output.note }
  const isWide = flags.all === true || job.value !== undefined || thread.value !== undefined
  const unnamed = () => (isWide ? success<MessageScope>({}) : newestScope(client, here))
  const scope = await (text === undefined ? unnamed() : messageScope(client, text, job.value, here))
  if (!scope.ok) return scope
  return success({
    job: job.value,
    thread: thread.value,
    ...(role === undefined ? {} : { role }),
    ...scope.value,
    ...filtersOf(needs, flags, scope.value.run !== undefined || thread.value !== undefined),
  })
}

function filtersOf(
  { surroundings }: CommandNeeds,
  { type, since, limit, questions }: MessagesFlags,
  isConversation: boolean,
): MessageOptions {
  return {
    type,
    since: since === undefined ? undefined : startOf(since, surroundings.now()).toISOString(),
    kind: questions === true ? 'question' : undefined,
    limit: limit ?? (isConversation ? undefined : DEFAULT_LIMIT),
  }
}

/** Without a limit, the whole conversation. */
async function showConversation(
  needs: Pick<CommandNeeds, 'output'>,
  client: Pick<MusterClient, 'listMessages'>,
  { limit, ...options }: MessageOptions,
): Promise<Outcome> {
  const read =
    limit === undefined
      ? readAll((page) => client.listMessages({ ...options, ...page }), CONVERSATION_PAGES)
      : client
          .listMessages({ ...options, limit })
          .then((page) => (page.ok ? success(page.value.items) : page))
  return withAnswer(read, (items) => {
    const { paint, verbose } = needs.output
    const extent = verbose ? 'whole' : 'start'
    const lines = items.toReversed().flatMap((message) => conversationLines(message, paint, extent))
    return printResult(needs, { items }, lines.length === 0 ? ['no messages'] : lines)
  })
}

/** One message with its whole text. */
async function showWhole(
  needs: Pick<CommandNeeds, 'output'>,
  client: MusterClient,
  id: string,
): Promise<Outcome> {
  return withAnswer(client.getMessage(id), (message) =>
    printResult(needs, message, conversationLines(message, needs.output.paint, 'whole')),
  )
}

export async function showMessages(
  needs: Pick<CommandNeeds, 'output'>,
  client: Pick<MusterClient, 'listMessages' | 'getSession' | 'getTask'>,
  options: MessageOptions,
): Promise<Outcome> {
  return withAnswer(client.listMessages(options), async (page) => {
    const lines: string[] = []
    for (const message of page.items.toReversed()) {
      lines.push(...messageLines(message, needs.output, await failedTaskOf(client, message)))
      const isOpen = message.kind === 'question' && message.to === 'person' && message.status === 'queued'
      if (isOpen && (await canReceive(client, message.from)))
        lines.push(`  answer it: ${needs.output.hint(`muster answer ${message.id} "..."`)}`)
    }
    return printResult(needs, page, lines.length === 0 ? ['no messages'] : lines)
  })
}

/** Answers a question, or replies to any other message. */
export async function answerCommand(
  needs: CommandNeeds,
  first: string | undefined,
  second: string | undefined,
): Promise<Outcome> {
  if (first === undefined) return failure(noAnswer())
  if (second === undefined && NAME.test(first)) return failure(noAnswer(first))
  const [name, given] = second === undefined ? [undefined, first] : [first, second]
  const text = await readMessageText(needs.surroundings, given)
  if (!text.ok) return text
  return withDaemon(needs, async (client) => {
    const id = await findQuestion(needs, client, name)
    if (!id.ok) return id
    const message = await client.getMessage(id.value)
    if (!message.ok) return failure(apiProblem(message.failure))
    if (!(await canReceive(client, message.value.from))) return failure(senderEnded(message.value))
    return answerMessage(needs, client, id.value, text.value)
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

function allOfOne(): Problem {
  return {
    type: 'bad-arguments',
    exitCode: EXIT.usage,
    message: '--all lists the messages of all jobs, so it takes no name',
    next: 'muster messages --all',
  }
}

function noAnswer(name?: string): Problem {
  return {
    type: 'answer-missing',
    exitCode: EXIT.usage,
    message: 'the text of the answer is missing',
    next: `muster answer ${name === undefined ? '' : `${name} `}"..."`,
  }
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
