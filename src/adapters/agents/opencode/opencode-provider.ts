import type { AgentProvider } from '../../../ports/agent-provider.ts'
import { createAcpDialogue } from '../acp/acp-dialogue.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { installedAvailability } from '../shared/installed-program.ts'
import { OPENCODE, planOpencodeLaunch } from './opencode-launch.ts'
import { listOpencodeModels } from './opencode-models.ts'

/** Variables with credentials for the services that OpenCode supports. */
const CREDENTIALS = [
  'OPENCODE_API_KEY',
  'OPENCODE_AUTH_CONTENT',
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_CLOUD_PROJECT',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
  'AWS_REGION',
  'AZURE_API_KEY',
  'AZURE_RESOURCE_NAME',
  'GITHUB_TOKEN',
  'XAI_API_KEY',
  'GROQ_API_KEY',
  'DEEPSEEK_API_KEY',
  'MISTRAL_API_KEY',
  'CEREBRAS_API_KEY',
  'TOGETHER_API_KEY',
  'FIREWORKS_API_KEY',
  'MOONSHOT_API_KEY',
  'ZAI_API_KEY',
  'ZHIPU_API_KEY',
  'MINIMAX_API_KEY',
] as const

/** OpenCode, over the Agent Client Protocol. */
export function createOpencodeProvider(): AgentProvider {
  return {
    providerId: 'opencode',
    credentials: CREDENTIALS,
    homePaths: ['.config/opencode', '.local/share/opencode', '.local/state/opencode', '.cache/opencode'],
    dialogue: createAcpDialogue({
      program: OPENCODE,
      modelBy: 'protocol',
      replayEnd: 'answer',
    }),
    availability: () => installedAvailability(OPENCODE),
    models: listOpencodeModels,
    plan: planOpencodeLaunch,
    readLine: () => [],
    findAnswer,
  }
}
