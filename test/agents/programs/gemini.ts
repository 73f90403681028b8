import { createGeminiProvider } from '../../../src/adapters/agents/gemini/gemini-provider.ts'
import type { AgentProgram } from '../agent-program.ts'

const LIMIT_MS = 5_000

export const gemini: AgentProgram = {
  createProvider: createGeminiProvider,
  model: 'gemini-2.5-pro',
  homeFiles: () => ({
    '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
  }),
  environment: (modelUrl) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: modelUrl }),
  asking: {},
  limit: {
    status: 429,
    lastsMs: LIMIT_MS,
    body: {
      error: {
        code: 429,
        message: 'You exceeded your current quota',
        status: 'RESOURCE_EXHAUSTED',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
            violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
          },
          {
            '@type': 'type.googleapis.com/google.rpc.RetryInfo',
            retryDelay: `${LIMIT_MS / 1000}s`,
          },
        ],
      },
    },
  },
}
