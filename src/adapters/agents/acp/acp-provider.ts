import type { AgentProvider } from '../../../ports/agent-provider.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { createAcpDialogue } from './acp-dialogue.ts'
import { planAcpLaunch } from './acp-launch.ts'

/** Any program that speaks the Agent Client Protocol; which one, and with which variables, the agent says. */
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
