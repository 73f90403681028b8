import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentClient, connectAgent } from '../../client/agent-calls.ts'
import type { ApiError } from '../../client/index.ts'
import type { WireMessage } from '../../contract/message.ts'
import type { MessagePriority, MessageType } from '../../domain/message/message-type.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { readMessageText } from '../read-text.ts'
import { messageBlock } from '../render/session/message-lines.ts'
import { safeLine, safeText } from '../render/text/safe-text.ts'
import { withAnswer } from '../with-daemon.ts'

type KeyFlag = { readonly key?: string }
export type InboxFlags = { readonly ack?: readonly string[]; readonly wait?: number }
type ExpectFlags = { readonly priority?: MessagePriority; readonly deadline?: string }
export type SendFlags = KeyFlag &
  ExpectFlags & {
    readonly subject?: string
    readonly type?: MessageType
    readonly requiresResponse?: true
  }
export type ThreadFlags = { readonly type?: MessageType; readonly role?: string; readonly limit?: number }
export type ProgressFlags = KeyFlag & { readonly percent?: number }
export type CompleteFlags = KeyFlag & { readonly answer?: string }
export type HandoffFlags = KeyFlag & {
  readonly next?: string
  readonly reason?: string
  readonly to?: string
}
export type AskFlags = KeyFlag &
  ExpectFlags & { readonly to?: string; readonly subject?: string; readonly wait?: number }

const TRIES = 6
const FIRST_RETRY_MS = 250

export async function agentInboxCommand(needs: CommandNeeds, flags: InboxFlags): Promise<Outcome> {
  const { ack = [] } = flags
  return withSession(needs, async (call) => {
    if (ack.length > 0) {
      const acknowledged = await call((client) => client.acknowledge(ack))
      if (!acknowledged.ok) return failure(apiProblem(acknowledged.failure))
    }
    return withAnswer(
      call((client) => client.inbox({ wait: flags.wait })),
      (inbox) => printInbox(needs, inbox),
    )
  })
}

function printInbox(needs: CommandNeeds, inbox: { readonly items: readonly WireMessage[] }): Outcome {
  const { items } = inbox
  const lines = items.length === 0 ? ['no messages'] : items.flatMap(messageBlock)
  const printed = printResult(needs, inbox, lines)
  if (items.length > 0) {
    const ids = items.map(({ id }) => id).join(' ')
    needs.output.note(`to acknowledge: muster agent inbox --ack ${ids}`)
  }
  return printed
}

const THREAD_LIMIT = 20

/** The newest messages of the session's run, oldest first. */
export async function agentThreadCommand(
  needs: CommandNeeds,
  { limit = THREAD_LIMIT, ...filter }: ThreadFlags,
): Promise<Outcome> {
  return withSession(needs, (call) =>
    withAnswer(
      call((client) => client.thread({ limit, ...filter })),
      (page) => printResult(needs, page, page.items.toReversed().flatMap(messageBlock)),
    ),
  )
}

export async function agentReadCommand(needs: CommandNeeds, id: string): Promise<Outcome> {
  return withSession(needs, (call) =>
    withAnswer(
      call((client) => client.readMessage(id)),
      (message) => printResult(needs, message, messageBlock(message)),
    ),
  )
}

/** If `to` is the ID of a message, the text is a reply to that message. */
export async function agentSendCommand(
  needs: CommandNeeds,
  to: string,
  given: string,
  flags: SendFlags,
): Promise<Outcome> {
  const { type: messageType, key: _, ...fields } = flags
  const address = to.startsWith('msg_') ? { inReplyTo: to } : { to }
  return postText(needs, given, flags, (client, body, key) =>
    client.send({ ...address, ...fields, messageType, body, key }),
  )
}

export async function agentProgressCommand(
  needs: CommandNeeds,
  given: string,
  flags: ProgressFlags,
): Promise<Outcome> {
  const { percent } = flags
  return postText(needs, given, flags, (client, text, key) => client.progress({ text, percent, key }))
}

export async function agentCompleteCommand(
  needs: CommandNeeds,
  given: string,
  flags: CompleteFlags,
): Promise<Outcome> {
  const answer = parseAnswer(flags.answer)
  if (!answer.ok) return answer
  return postText(needs, given, flags, (client, summary, key) =>
    client.complete({ summary, answer: answer.value, key }),
  )
}

export async function agentHandoffCommand(
  needs: CommandNeeds,
  given: string,
  flags: HandoffFlags,
): Promise<Outcome> {
  const { next: nextSteps, reason, to } = flags
  return postText(needs, given, flags, (client, summary, key) =>
    client.handoff({ summary, nextSteps, reason, to, key }),
  )
}

export async function agentAskCommand(needs: CommandNeeds, given: string, flags: AskFlags): Promise<Outcome> {
  const { key = randomUUID(), ...fields } = flags
  const question = await readMessageText(needs.surroundings, given)
  if (!question.ok) return question
  return withSession(needs, (call) =>
    withAnswer(
      call((client) => client.ask({ question: question.value, ...fields, key })),
      (asked) =>
        printResult(
          needs,
          asked,
          asked.answer === undefined
            ? [`${asked.question.id} asked; the answer will appear in: muster agent inbox`]
            : messageBlock(asked.answer),
        ),
    ),
  )
}

export async function agentSkillCommand(needs: CommandNeeds, name: string | undefined): Promise<Outcome> {
  return withSession(needs, (call) =>
    name === undefined
      ? withAnswer(
          call((client) => client.skills()),
          (skills) => printResult(needs, skills, skills.items.map(skillLine)),
        )
      : withAnswer(
          call((client) => client.skill(name)),
          (skill) => printResult(needs, skill, [safeText(skill.text).trimEnd()]),
        ),
  )
}

function skillLine(skill: { readonly name: string; readonly description: string }): string {
  return `${safeLine(skill.name)}  ${safeLine(skill.description)}`
}

type Post = (client: AgentClient, text: string, key: string) => Promise<Result<WireMessage, ApiError>>

/** Sends a text under a key, so that a retry after a broken connection sends nothing twice. */
async function postText(needs: CommandNeeds, given: string, flags: KeyFlag, post: Post): Promise<Outcome> {
  const key = flags.key ?? randomUUID()
  const text = await readMessageText(needs.surroundings, given)
  if (!text.ok) return text
  return withSession(needs, (call) =>
    withAnswer(
      call((client) => post(client, text.value, key)),
      (sent) => printResult(needs, sent, [`${sent.id} ${sent.status}`]),
    ),
  )
}

function parseAnswer(text: string | undefined): Result<Record<string, unknown> | undefined, Problem> {
  if (text === undefined) return success(undefined)
  const problem = (why: string): Result<never, Problem> =>
    failure({ type: 'bad-arguments', exitCode: EXIT.usage, message: '--answer must be a JSON object', why })
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return problem('it is JSON, but not an object')
    }
    return success(value as Record<string, unknown>)
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error))
  }
}

/** Makes one request. While the daemon is down, for example during a restart, the request is retried for a while. */
type SessionCall = <Data>(
  ask: (client: AgentClient) => Promise<Result<Data, ApiError>>,
) => Promise<Result<Data, ApiError>>

/** Runs `work` with the daemon that started this session. Never starts a daemon and needs no home. */
async function withSession(
  needs: Pick<CommandNeeds, 'surroundings'>,
  work: (call: SessionCall) => Promise<Outcome>,
): Promise<Outcome> {
  const { MUSTER_URL: url = '', MUSTER_TOKEN: token = '' } = needs.surroundings.environment as Readonly<
    Partial<Record<'MUSTER_URL' | 'MUSTER_TOKEN', string>>
  >
  if (!URL.canParse(url) || token === '') {
    return failure({
      type: 'not-in-session',
      exitCode: EXIT.usage,
      message: 'this command works only inside a session that Muster started',
      why: `${token === '' ? 'MUSTER_TOKEN' : 'MUSTER_URL'} is not set`,
      next: 'muster messages',
    })
  }
  const client = connectAgent({ url, token })
  return await work((ask) => retryWhileDown(() => ask(client)))
}

async function retryWhileDown<Data>(
  ask: () => Promise<Result<Data, ApiError>>,
): Promise<Result<Data, ApiError>> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask()
    const isDown = !answer.ok && (answer.failure.status === 0 || answer.failure.status === 503)
    if (!isDown || tries === TRIES) return answer
    await sleep(FIRST_RETRY_MS * 2 ** (tries - 1))
  }
}
