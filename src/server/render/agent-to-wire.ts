import type { WireAgent } from '../../contract/agent.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'

export function agentToWire(agent: AgentSpec): WireAgent {
  const { env, roles, command, fallback, ...rest } = agent
  return {
    ...rest,
    roles: [...roles],
    environmentNames: Object.keys(env),
    ...(command === undefined ? {} : { command: [...command] }),
    ...(fallback === undefined ? {} : { fallback: [...fallback] }),
  }
}
