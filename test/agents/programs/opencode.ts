import { createOpencodeProvider } from '../../../src/adapters/agents/opencode/opencode-provider.ts'
import type { AgentProgram } from '../agent-program.ts'

const LIMIT_MS = 5_000
/** The program waits for shorter limits by itself. */
const TOLD_MS = 61_000

export const opencode: AgentProgram = {
  createProvider: createOpencodeProvider,
  homeFiles: (modelUrl) => ({
    '.config/opencode/opencode.json': JSON.stringify({
      model: 'scripted/scripted',
      small_model: 'scripted/scripted',
      enabled_providers: ['scripted'],
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'scripted',
          options: { baseURL: `${modelUrl}/v1`, apiKey: 'none' },
          models: {
            scripted: { name: 'scripted', tool_call: true, limit: { context: 200_000, output: 8_000 } },
          },
        },
      },
    }),
  }),
  environment: () => ({}),
  asking: {},
  limitReportedMs: TOLD_MS,
  limit: {
    status: 429,
    lastsMs: LIMIT_MS,
    headers: { 'retry-after': String(TOLD_MS / 1000) },
  },
}
