import type { SessionId } from '../../domain/id.ts'
import type { Letter, QuestionLetter } from '../../domain/message/letter.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { Result } from '../../domain/result.ts'
import { acknowledgeAsPerson, acknowledgeMessages } from './acknowledge-messages.ts'
import { answerQuestion, type Reply } from './answer-question.ts'
import { type Asked, askQuestion } from './ask-question.ts'
import type { MessageNeeds } from './message-needs.ts'
import { postLetter } from './post-letter.ts'
import { readInbox } from './read-inbox.ts'
import { listSkills, readSkill, type Skill, type SkillSummary } from './read-skills.ts'
import { type PersonLetter, sendAsPerson } from './send-as-person.ts'
import type { Patience } from './wait-for.ts'

type Answer<Value> = Promise<Result<Value, MessageFailure>>

/** What an agent can do from inside its session, and nothing else; each is one use case of this folder. */
export interface AgentCommands {
  post(sessionId: SessionId, letter: Letter): Answer<Message>
  ask(sessionId: SessionId, letter: Omit<QuestionLetter, 'type'>, patience?: Patience): Answer<Asked>
  inbox(sessionId: SessionId, patience?: Patience): Answer<readonly Message[]>
  acknowledge(sessionId: SessionId, ids: readonly string[]): Answer<readonly Message[]>
  skills(sessionId: SessionId): Answer<readonly SkillSummary[]>
  skill(sessionId: SessionId, name: string): Answer<Skill>
}

/** What a person can do with letters. */
export interface PersonCommands {
  send(letter: PersonLetter): Answer<Message>
  answer(reply: Reply): Answer<Message>
  acknowledge(ids: readonly string[]): Answer<readonly Message[]>
}

export type MessageCommands = { readonly agents: AgentCommands; readonly people: PersonCommands }

export function createMessageCommands(
  needs: MessageNeeds & Parameters<typeof listSkills>[0],
): MessageCommands {
  return {
    agents: {
      post: (sessionId, letter) => postLetter(needs, sessionId, letter),
      ask: (sessionId, letter, patience) => askQuestion(needs, sessionId, letter, patience),
      inbox: (sessionId, patience) => readInbox(needs, sessionId, patience),
      acknowledge: (sessionId, ids) => acknowledgeMessages(needs, sessionId, ids),
      skills: (sessionId) => listSkills(needs, sessionId),
      skill: (sessionId, name) => readSkill(needs, sessionId, name),
    },
    people: {
      send: (letter) => sendAsPerson(needs, letter),
      answer: (reply) => answerQuestion(needs, 'person', reply),
      acknowledge: (ids) => acknowledgeAsPerson(needs, ids),
    },
  }
}
