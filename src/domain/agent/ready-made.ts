import type { AgentSpec } from './agent-spec.ts'

/** Programs that are agents without configuration once they are installed, in order of preference. */
export const READY_MADE: readonly Pick<AgentSpec, 'name' | 'provider'>[] = [
  { name: 'claude', provider: 'claude-code' },
  { name: 'codex', provider: 'codex' },
  { name: 'opencode', provider: 'opencode' },
  { name: 'gemini', provider: 'gemini' },
]
