import type { WireAgent, WireAgentList, WireListedAgent } from '../../contract/agent.ts'
import type { WireProvider } from '../../contract/provider.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { AgentsView, AgentUsability } from '../../engine/queries/agents.ts'
import type { ProviderView } from '../../engine/queries/providers.ts'

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

export function agentListToWire(view: AgentsView): WireAgentList {
  const { agents, checks, roles, sandbox, sandboxProblem, usability } = view
  const bound = Object.entries(roles).map(([role, { agents: names }]): [string, string[]] => [
    role,
    [...names],
  ])
  return {
    agents: agents.map((agent) => ({
      ...agentToWire(agent),
      ...usabilityToWire(usability.get(agent.name)),
    })),
    roles: Object.fromEntries(bound),
    checks: [...checks],
    sandboxLevel: sandbox.level,
    ...(sandboxProblem === undefined ? {} : { sandboxProblem }),
  }
}

function usabilityToWire(usability: AgentUsability | undefined): Pick<WireListedAgent, 'usability'> {
  if (usability === undefined) return {}
  if (usability.type === 'usable') return { usability }
  const { cause } = usability
  const { reason, remedy } =
    cause.type === 'program-missing'
      ? { reason: `${cause.program} is not installed`, remedy: cause.install }
      : cause
  return { usability: { type: 'unusable', reason, remedy } }
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
