import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { AskRequest, MessageRequest } from '../../domain/message/message-request.ts'
import { redactValue } from '../../domain/redaction/redact-value.ts'
import type { Result } from '../../domain/result.ts'
import { acknowledgeAsPerson, acknowledgeMessages } from './acknowledge-messages.ts'
import { answerQuestion, type Reply } from './answer-question.ts'
import { type Asked, askQuestion } from './ask-question.ts'
import type { MessageNeeds } from './message-needs.ts'
import { postRequest } from './post-request.ts'
import { readInbox } from './read-inbox.ts'
import { listSkills, readSkill, type Skill, type SkillSummary } from './read-skills.ts'
import { readMessage, readThread, type ThreadRequest } from './read-thread.ts'
import { type PersonMessage, sendAsPerson } from './send-as-person.ts'
import type { Patience } from './wait-for.ts'

type Answer<Value> = Promise<Result<Value, MessageFailure>>

/** Everything an agent can do from inside its session. Each command is a use case of this folder. */
export interface AgentCommands {
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
  return {
    agents: {
      post: (sessionId, request) => postRequest(needs, sessionId, clean(request)),
      ask: (sessionId, request, patience) => askQuestion(needs, sessionId, clean(request), patience),
      inbox: (sessionId, patience) => readInbox(needs, sessionId, patience),
      acknowledge: (sessionId, ids) => acknowledgeMessages(needs, sessionId, clean(ids)),
      read: (sessionId, id) => readMessage(needs, sessionId, id),
      thread: (sessionId, request) => readThread(needs, sessionId, request),
      skills: (sessionId) => listSkills(needs, sessionId),
      skill: (sessionId, name) => readSkill(needs, sessionId, clean(name)),
    },
    people: {
      send: (request) => sendAsPerson(needs, clean(request)),
      answer: (reply) => answerQuestion(needs, 'person', clean(reply)),
      acknowledge: (ids) => acknowledgeAsPerson(needs, clean(ids)),
    },
  }
}
