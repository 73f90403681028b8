import type { AgentProvider } from '../../../ports/agent-provider.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { planOwnCommand } from '../shared/installed-program.ts'
import { readEventLine } from '../shared/read-event-line.ts'

/** Any program that reads its prompt from a file and prints lines. */
export function createCommandProvider(): AgentProvider {
  return {
    providerId: 'command',
    credentials: [],
    homePaths: [],
    availability: () => Promise.resolve({ type: 'available', version: 'any program' }),
    models: () => Promise.resolve([]),
    plan: (request) => planOwnCommand(request, { example: '["node", "agent.mjs"]' }),
    readLine: readEventLine,
    findAnswer,
  }
}
