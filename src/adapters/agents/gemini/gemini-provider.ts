import type { AgentProvider, ModelInfo } from '../../../ports/agent-provider.ts'
import { createAcpDialogue } from '../acp/acp-dialogue.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { installedAvailability } from '../shared/installed-program.ts'
import { GEMINI, planGeminiLaunch } from './gemini-launch.ts'
import { geminiReadiness } from './gemini-readiness.ts'

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

/** Aliases that the program resolves to the newest model of each kind. */
const MODELS: readonly ModelInfo[] = [
  { id: 'auto', name: 'Chosen by the program', isDefault: true },
  { id: 'pro', name: 'Gemini Pro' },
  { id: 'flash', name: 'Gemini Flash' },
  { id: 'flash-lite', name: 'Gemini Flash-Lite' },
]

/** Gemini CLI, over the Agent Client Protocol. */
export function createGeminiProvider(): AgentProvider {
  return {
    providerId: 'gemini',
    credentials: CREDENTIALS,
    homePaths: ['.gemini'],
    dialogue: createAcpDialogue({
      program: GEMINI,
      modelBy: 'command-line',
      // A new conversation finds the key in the environment. Resuming one is refused until we authenticate.
      authenticateBy: 'gemini-api-key',
      // The program replays an old conversation after it has answered the load request.
      replayEnd: 'available-commands',
      // The program creates a new record with the given id before it looks for the old one, and would overwrite a
      // record from the same minute. A leading blank avoids that, because only the lookup ignores blanks.
      loadPrefix: ' ',
    }),
    availability: () => installedAvailability(GEMINI),
    readiness: geminiReadiness,
    models: () => Promise.resolve(MODELS),
    plan: planGeminiLaunch,
    readLine: () => [],
    findAnswer,
  }
}
