/** Agent programs people have, and how each is driven through the `command` provider. */
export type AgentExample = {
  readonly name: string
  readonly program: string
  /** A shell line that reads the prompt file; run by `sh -c`, so the variable is the agent's own. */
  readonly shell: string
}

export const AGENT_EXAMPLES: readonly AgentExample[] = [
  {
    name: 'claude',
    program: 'claude',
    shell: 'claude -p --permission-mode acceptEdits < "$MUSTER_PROMPT_FILE"',
  },
  { name: 'codex', program: 'codex', shell: 'codex exec --full-auto - < "$MUSTER_PROMPT_FILE"' },
  { name: 'opencode', program: 'opencode', shell: 'opencode run "$(cat "$MUSTER_PROMPT_FILE")"' },
  { name: 'gemini', program: 'gemini', shell: 'gemini --yolo < "$MUSTER_PROMPT_FILE"' },
]
