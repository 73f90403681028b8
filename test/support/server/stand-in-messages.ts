import { AGENT_TOOLS } from '../../../src/domain/message/agent-tool.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import { failure, success } from '../../../src/domain/result.ts'
import type { MessageCommands } from '../../../src/engine/messages/message-commands.ts'
import { NOW, sampleId } from './sample-records.ts'

function sampleMessage(body = 'water it', kind: 'text' | 'answer' = 'text'): Message {
  return {
    id: sampleId('message'),
    type: 'feedback',
    priority: 'normal',
    threadId: sampleId('message'),
    requiresResponse: false,
    sender: 'person',
    recipient: sampleId('session'),
    kind,
    subject: '',
    body,
    metadata: {},
    state: { type: 'queued' },
    version: 1,
    createdAt: NOW,
  }
}

/** Accepts every message from a person, and none from agents. */
export function createStandInMessages(acts: string[]): MessageCommands {
  const unheard = async () => failure({ type: 'session-over' } as const)
  return {
    agents: {
      tools: async () => AGENT_TOOLS,
      mayUse: async () => success(undefined),
      post: unheard,
      ask: unheard,
      inbox: unheard,
      acknowledge: unheard,
      read: unheard,
      thread: unheard,
      skills: unheard,
      skill: unheard,
    },
    people: {
      async send({ to, body }) {
        acts.push(`message to ${to}`)
        return success(sampleMessage(body))
      },
      answer: async ({ body }) => success(sampleMessage(body, 'answer')),
      acknowledge: async () => success([sampleMessage()]),
    },
  }
}
