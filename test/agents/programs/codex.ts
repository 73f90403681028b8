import { createCodexProvider } from '../../../src/adapters/agents/codex/codex-provider.ts'
import type { AgentProgram } from '../agent-program.ts'

const LIMIT_MS = 5_000

export const codex: AgentProgram = {
  createProvider: createCodexProvider,
  homeFiles: (modelUrl) => ({ '.codex/config.toml': configuration(modelUrl) }),
  environment: () => ({ MODEL_KEY: 'none' }),
  // The program does not ask inside its own sandbox. Only a command that leaves the sandbox needs permission.
  asking: { sandbox_permissions: 'require_escalated', justification: 'to commit' },
  limitReportedMs: LIMIT_MS,
  limit: {
    status: 429,
    lastsMs: LIMIT_MS,
    headers: {
      'x-codex-primary-used-percent': '100',
      'x-codex-primary-window-minutes': '300',
      'x-codex-primary-reset-at': '{{resetSeconds}}',
    },
    body: {
      error: {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        plan_type: 'plus',
        resets_at: '{{resetSeconds}}',
      },
    },
  },
}

function configuration(modelUrl: string): string {
  return `model = "gpt-5.1-codex"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
request_max_retries = 1
stream_max_retries = 1
supports_websockets = false
`
}
