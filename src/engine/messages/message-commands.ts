import type { SessionId } from '../../domain/id.ts'
import type { AgentTool } from '../../domain/message/agent-tool.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { AskRequest, MessageRequest } from '../../domain/message/message-request.ts'
import { redactValue } from '../../domain/redaction/redact-value.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { acknowledgeAsPerson, acknowledgeMessages } from './acknowledge-messages.ts'
import { answerQuestion, type Reply } from './answer-question.ts'
import { type Asked, askQuestion } from './ask-question.ts'
import type { MessageNeeds } from './message-needs.ts'
import { postRequest } from './post-request.ts'
import { readInbox } from './read-inbox.ts'
import { listSkills, readSkill, type Skill, type SkillSummary } from './read-skills.ts'
import { readMessage, readThread, type ThreadRequest } from './read-thread.ts'
import { refuseTool, toolsOf } from './refuse-tool.ts'
import { type PersonMessage, sendAsPerson } from './send-as-person.ts'
import type { Patience } from './wait-for.ts'

type Answer<Value> = Promise<Result<Value, MessageFailure>>

/** Everything an agent can do from inside its session. Each command is a use case of this folder. */
export interface AgentCommands {
  /** The tools that the session may use. The other commands refuse whatever needs one that isn't among them. */
  tools(sessionId: SessionId): Promise<readonly AgentTool[]>
  mayUse(sessionId: SessionId, tool: AgentTool): Answer<undefined>
  post(sessionId: SessionId, request: MessageRequest): Answer<Message>
  ask(sessionId: SessionId, request: Omit<AskRequest, 'type'>, patience?: Patience): Answer<Asked>
  inbox(sessionId: SessionId, patience?: Patience): Answer<readonly Message[]>
  acknowledge(sessionId: SessionId, ids: readonly string[]): Answer<readonly Message[]>
  /** One message with its whole text. */
  read(sessionId: SessionId, id: string): Answer<Message>
  /** The conversation of the session's run, newest first. */
  thread(sessionId: SessionId, request: ThreadRequest): Answer<readonly Message[]>
  skills(sessionId: SessionId): Answer<readonly SkillSummary[]>
  skill(sessionId: SessionId, name: string): Answer<Skill>
}

/** What a person can do with messages. */
export interface PersonCommands {
  send(request: PersonMessage): Answer<Message>
  answer(reply: Reply): Answer<Message>
  acknowledge(ids: readonly string[]): Answer<readonly Message[]>
}

export type MessageCommands = { readonly agents: AgentCommands; readonly people: PersonCommands }

export function createMessageCommands(
  needs: MessageNeeds & Parameters<typeof listSkills>[0],
): MessageCommands {
  const clean = <Value>(value: Value) => redactValue(value, needs.redact)
  const use = async <Value>(sessionId: SessionId, tool: AgentTool, work: () => Answer<Value>) => {
    const refused = await refuseTool(needs.store.read, sessionId, tool)
    return refused === undefined ? await work() : failure(refused)
  }
  return {
    agents: {
      tools: (sessionId) => toolsOf(needs.store.read, sessionId),
      mayUse: (sessionId, tool) => use(sessionId, tool, () => Promise.resolve(success(undefined))),
      post: (sessionId, request) =>
        use(sessionId, request.type, () => postRequest(needs, sessionId, clean(request))),
      ask: (sessionId, request, patience) =>
        use(sessionId, 'ask', () => askQuestion(needs, sessionId, clean(request), patience)),
      inbox: (sessionId, patience) => use(sessionId, 'inbox', () => readInbox(needs, sessionId, patience)),
      acknowledge: (sessionId, ids) =>
        use(sessionId, 'inbox', () => acknowledgeMessages(needs, sessionId, clean(ids))),
      read: (sessionId, id) => use(sessionId, 'read', () => readMessage(needs, sessionId, id)),
      thread: (sessionId, request) => use(sessionId, 'thread', () => readThread(needs, sessionId, request)),
      skills: (sessionId) => use(sessionId, 'skills', () => listSkills(needs, sessionId)),
      skill: (sessionId, name) => use(sessionId, 'skills', () => readSkill(needs, sessionId, clean(name))),
    },
    people: {
      send: (request) => sendAsPerson(needs, clean(request)),
      answer: (reply) => answerQuestion(needs, 'person', clean(reply)),
      acknowledge: (ids) => acknowledgeAsPerson(needs, clean(ids)),
    },
  }
}
