import type { WireAgent, WireAgentList } from '../../contract/agent.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { bindingOf } from '../../domain/agent/role-binding.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { AgentsView } from '../../engine/queries/queries.ts'

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

export function agentListToWire({ agents, checks, roles }: AgentsView): WireAgentList {
  const first = (role: string) => bindingOf(roles, role)?.agents[0]
  return {
    agents: agents.map(agentToWire),
    checks: [...checks],
    ...withoutUndefined({ planner: first('planner'), worker: first('worker') }),
  }
}
