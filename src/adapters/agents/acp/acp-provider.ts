import { failure, type Result } from '../../../domain/result.ts'
import type {
  AgentProvider,
  LaunchFailure,
  LaunchPlan,
  LaunchRequest,
} from '../../../ports/agent-provider.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { planOwnCommand } from '../shared/installed-program.ts'
import { createAcpDialogue } from './acp-dialogue.ts'

/** Any program that speaks the Agent Client Protocol. The agent's configuration names the program and its variables. */
export function createAcpProvider(): AgentProvider {
  return {
    providerId: 'acp',
    credentials: [],
    homePaths: [],
    dialogue: createAcpDialogue({ modelBy: 'protocol', replayEnd: 'answer' }),
    availability: () => Promise.resolve({ type: 'available', version: 'any program' }),
    models: () => Promise.resolve([]),
    plan,
    readLine: () => [],
    findAnswer,
  }
}

/** Plans the agent's own command, which must speak the protocol over its standard input and output. */
async function plan(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>> {
  const environment = { PWD: request.treeDirectory }
  const planned = await planOwnCommand(request, { example: '["my-agent", "--acp"]', environment })
  if (!planned.ok || request.mode === 'headless') return planned
  return failure({ type: 'mode-unsupported', mode: request.mode, provider: 'acp' })
}
