/** What an agent can do from inside its session: over MCP, over HTTP, with `muster agent`, or through its outbox. */
export const AGENT_TOOLS = [
  'inbox',
  'read',
  'thread',
  'send',
  'progress',
  'complete',
  'ask',
  'handoff',
  'skills',
] as const

export type AgentTool = (typeof AGENT_TOOLS)[number]
