import type { AgentProvider } from '../../../ports/agent-provider.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { createAcpDialogue } from './acp-dialogue.ts'
import { planAcpLaunch } from './acp-launch.ts'

/** Any program that speaks the Agent Client Protocol. The agent's configuration names the program and its variables. */
export function createAcpProvider(): AgentProvider {
  return {
    providerId: 'acp',
    credentials: [],
    homePaths: [],
    dialogue: createAcpDialogue({ modelBy: 'protocol', replayEnd: 'answer' }),
    availability: () => Promise.resolve({ type: 'available', version: 'any program' }),
    models: () => Promise.resolve([]),
    plan: planAcpLaunch,
    readLine: () => [],
    findAnswer,
  }
}
