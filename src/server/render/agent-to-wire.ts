import type { WireAgent, WireAgentList } from '../../contract/agent.ts'
import type { WireProvider } from '../../contract/provider.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { ProviderView } from '../../engine/queries/providers.ts'
import type { AgentsView } from '../../engine/queries/queries.ts'

export function agentToWire(agent: AgentSpec): WireAgent {
  const { env, roles, command, fallback, ...rest } = agent
  return {
    ...rest,
    roles: [...roles],
    environmentNames: [...env],
    ...(command === undefined ? {} : { command: [...command] }),
    ...(fallback === undefined ? {} : { fallback: [...fallback] }),
  }
}

export function agentListToWire({ agents, checks, roles, sandbox }: AgentsView): WireAgentList {
  const bound = Object.entries(roles).map(([role, { agents: names }]): [string, string[]] => [
    role,
    [...names],
  ])
  return {
    agents: agents.map(agentToWire),
    roles: Object.fromEntries(bound),
    checks: [...checks],
    sandboxLevel: sandbox.level,
  }
}

export function providerToWire({ converses, models, availability, ...rest }: ProviderView): WireProvider {
  return {
    ...rest,
    availability:
      availability.type === 'missing'
        ? availability
        : { type: availability.type, version: availability.version },
    resumes: converses,
    asks: converses,
    ...(models === undefined ? {} : { models: models.map((model) => ({ ...model })) }),
  }
}
