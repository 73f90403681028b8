import { randomUUID } from 'node:crypto'
import type { AgentClient } from '../../client/agent-calls.ts'
import type { ApiError } from '../../client/index.ts'
import type { WireMessage } from '../../contract/message.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome, Problem } from '../problem.ts'
import { messageBlock } from '../render/session/message-lines.ts'
import { safeLine, safeText } from '../render/text/safe-text.ts'
import { readMessageText } from './agent/read-message-text.ts'
import { withSession } from './agent/with-session.ts'

type KeyFlag = { readonly key?: string }
export type InboxFlags = { readonly ack?: readonly string[]; readonly wait?: number }
export type SendFlags = KeyFlag & { readonly subject?: string }
export type ProgressFlags = KeyFlag & { readonly percent?: number }
export type CompleteFlags = KeyFlag & { readonly answer?: string }
export type HandoffFlags = KeyFlag & {
  readonly next?: string
  readonly reason?: string
  readonly to?: string
}
export type AskFlags = KeyFlag & { readonly to?: string; readonly subject?: string; readonly wait?: number }

export async function agentInboxCommand(needs: CommandNeeds, flags: InboxFlags): Promise<Outcome> {
  const { ack = [] } = flags
  return withSession(needs, async (call) => {
    if (ack.length > 0) {
      const read = await call((client) => client.acknowledge(ack))
      if (!read.ok) return failure(apiProblem(read.failure))
    }
    const inbox = await call((client) => client.inbox({ wait: flags.wait }))
    if (!inbox.ok) return failure(apiProblem(inbox.failure))
    needs.output.value({ success: true, data: inbox.value })
    printInbox(needs, inbox.value.items)
    return success(EXIT.done)
  })
}

function printInbox({ output }: CommandNeeds, items: readonly WireMessage[]): void {
  if (items.length === 0) output.print('nothing to read')
  for (const line of items.flatMap(messageBlock)) output.print(line)
  if (items.length > 0)
    output.note(`they come again until: muster agent inbox --ack ${items.map(({ id }) => id).join(' ')}`)
}

/** Where it goes may also be the id of a message: then it is a reply to it. */
export async function agentSendCommand(
  needs: CommandNeeds,
  to: string,
  given: string,
  flags: SendFlags,
): Promise<Outcome> {
  const { subject } = flags
  const address = to.startsWith('msg_') ? { inReplyTo: to } : { to }
  return postText(needs, given, flags, (client, body, key) => client.send({ ...address, subject, body, key }))
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
  const { to, subject, wait, key = randomUUID() } = flags
  const question = await readMessageText(needs.surroundings, given)
  if (!question.ok) return question
  return withSession(needs, async (call) => {
    const asked = await call((client) => client.ask({ question: question.value, to, subject, wait, key }))
    if (!asked.ok) return failure(apiProblem(asked.failure))
    const { answer } = asked.value
    needs.output.value({ success: true, data: asked.value })
    if (answer === undefined) {
      needs.output.print(`${asked.value.question.id} asked; the answer will be in: muster agent inbox`)
      return success(EXIT.done)
    }
    for (const line of messageBlock(answer)) needs.output.print(line)
    return success(EXIT.done)
  })
}

export async function agentSkillCommand(needs: CommandNeeds, name: string | undefined): Promise<Outcome> {
  return withSession(needs, async (call) => {
    if (name === undefined) {
      const skills = await call((client) => client.skills())
      if (!skills.ok) return failure(apiProblem(skills.failure))
      needs.output.value({ success: true, data: skills.value })
      for (const skill of skills.value.items)
        needs.output.print(`${safeLine(skill.name)}  ${safeLine(skill.description)}`)
      return success(EXIT.done)
    }
    const skill = await call((client) => client.skill(name))
    if (!skill.ok) return failure(apiProblem(skill.failure))
    needs.output.value({ success: true, data: skill.value })
    needs.output.print(safeText(skill.value.text).trimEnd())
    return success(EXIT.done)
  })
}

type Post = (client: AgentClient, text: string, key: string) => Promise<Result<WireMessage, ApiError>>

/** Sends a text under a key, so that trying again after a broken connection sends nothing twice. */
async function postText(needs: CommandNeeds, given: string, flags: KeyFlag, post: Post): Promise<Outcome> {
  const key = flags.key ?? randomUUID()
  const text = await readMessageText(needs.surroundings, given)
  if (!text.ok) return text
  return withSession(needs, async (call) => {
    const sent = await call((client) => post(client, text.value, key))
    if (!sent.ok) return failure(apiProblem(sent.failure))
    needs.output.value({ success: true, data: sent.value })
    needs.output.print(`${sent.value.id} ${sent.value.status}`)
    return success(EXIT.done)
  })
}

function parseAnswer(text: string | undefined): Result<Record<string, unknown> | undefined, Problem> {
  if (text === undefined) return success(undefined)
  const problem = (why: string): Result<never, Problem> =>
    failure({ type: 'bad-arguments', exitCode: EXIT.usage, message: '--answer must be a JSON object', why })
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return problem('it is none')
    return success(value as Record<string, unknown>)
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error))
  }
}
