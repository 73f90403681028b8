/** Agent programs people have, and the provider that drives each. */
export type AgentExample = {
  /** What the agent is called in the file. */
  readonly name: string
  readonly program: string
  readonly provider: string
}

/** In the order in which the daemon would take one of them when none is configured. */
export const AGENT_EXAMPLES: readonly AgentExample[] = [
  { name: 'claude', program: 'claude', provider: 'claude-code' },
  { name: 'codex', program: 'codex', provider: 'codex' },
  { name: 'opencode', program: 'opencode', provider: 'opencode' },
  { name: 'gemini', program: 'gemini', provider: 'gemini' },
]
