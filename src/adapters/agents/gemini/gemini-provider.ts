import type { AgentProvider, ModelInfo } from '../../../ports/agent-provider.ts'
import { createAcpDialogue } from '../acp/acp-dialogue.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { installedAvailability } from '../shared/installed-program.ts'
import { GEMINI, planGeminiLaunch } from './gemini-launch.ts'

const CREDENTIALS = [
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GEMINI_BASE_URL',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_GENAI_USE_GCA',
  'GOOGLE_VERTEX_BASE_URL',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_CLOUD_PROJECT_ID',
  'GOOGLE_CLOUD_LOCATION',
  'GOOGLE_APPLICATION_CREDENTIALS',
] as const

/** Names that the program itself resolves to the newest model of each kind. */
const MODELS: readonly ModelInfo[] = [
  { id: 'auto', name: 'Chosen by the program', isDefault: true },
  { id: 'pro', name: 'Gemini Pro' },
  { id: 'flash', name: 'Gemini Flash' },
  { id: 'flash-lite', name: 'Gemini Flash-Lite' },
]

/** Gemini CLI, spoken to over the Agent Client Protocol. */
export function createGeminiProvider(): AgentProvider {
  return {
    providerId: 'gemini',
    credentials: CREDENTIALS,
    homePaths: ['.gemini'],
    dialogue: createAcpDialogue({
      login: 'Set GEMINI_API_KEY, or start gemini once and log in',
      modelBy: 'command-line',
      // A new conversation finds the key in its environment; an old one is refused until this was said once.
      authenticateBy: 'gemini-api-key',
      // It repeats an old conversation after it has answered that it is loaded.
      replayEnd: 'available-commands',
      // It begins a record under the name it is given before it looks for the old one, and would write over a
      // record of the same minute. Blanks it ignores when it looks, and not when it writes.
      loadPrefix: ' ',
    }),
    availability: () => installedAvailability(GEMINI),
    models: () => Promise.resolve(MODELS),
    plan: planGeminiLaunch,
    readLine: () => [],
    findAnswer,
  }
}
