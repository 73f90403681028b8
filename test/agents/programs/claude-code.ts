import { createClaudeCodeProvider } from '../../../src/adapters/agents/claude-code/claude-code-provider.ts'
import type { AgentProgram } from '../agent-program.ts'

const LIMIT_MS = 5_000

export const claudeCode: AgentProgram = {
  createProvider: createClaudeCodeProvider,
  homeFiles: () => ({}),
  // The program reports when a limit ends only with the login of a subscription.
  environment: (modelUrl) => ({ ANTHROPIC_BASE_URL: modelUrl, CLAUDE_CODE_OAUTH_TOKEN: 'none' }),
  asking: {},
  limitReportedMs: LIMIT_MS,
  limit: {
    status: 429,
    lastsMs: LIMIT_MS,
    headers: {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      'anthropic-ratelimit-unified-reset': '{{resetSeconds}}',
    },
  },
}
