/** A common agent program, and its provider. */
export type AgentExample = {
  /** The agent's name in muster.yaml. */
  readonly name: string
  readonly program: string
  readonly provider: string
}

/** In the order in which the daemon picks one if none is configured, under the names that they have without configuration. */
export const AGENT_EXAMPLES: readonly AgentExample[] = [
  { name: 'claude', program: 'claude', provider: 'claude-code' },
  { name: 'codex', program: 'codex', provider: 'codex' },
  { name: 'opencode', program: 'opencode', provider: 'opencode' },
  { name: 'gemini', program: 'gemini', provider: 'gemini' },
]
