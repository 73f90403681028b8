import { modelOf, type RoleRequest, whyNever } from '../admission/admit.ts'
import type { AgentChoiceFailure } from '../job/start-failure.ts'
import { failure, type Result, success } from '../result.ts'
import { withoutUndefined } from '../without-undefined.ts'
import type { AgentSpec } from './agent-spec.ts'
import { bindingOf, candidatesFor, type RoleBindings } from './role-binding.ts'

export type AgentChoice = {
  readonly agents: readonly AgentSpec[]
  readonly roles: RoleBindings
  readonly role: string
  /** The agent that a person asked for. Asking for an agent doesn't give it the role; only the configuration does. */
  readonly requested?: string | undefined
}

/**
 * The requested agent, or the first of those bound to the role, or else the first that lists it. An agent that can
 * never take the role is refused here, because its sessions would wait forever.
 */
export function chooseAgent(choice: AgentChoice): Result<AgentSpec, AgentChoiceFailure> {
  const { agents, roles, role, requested } = choice
  const names = requested === undefined ? (bindingOf(roles, role)?.agents ?? []) : [requested]
  const known = agents.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) return failure({ type: 'agent-unknown', agent: unknown, known })
  const candidates =
    requested === undefined
      ? candidatesFor(agents, roles, role)
      : agents.filter(({ name }) => name === requested)
  const [first] = candidates
  if (first === undefined) return failure({ type: 'agent-absent', role })
  const whyUnfit = (agent: AgentSpec) => findUnfit({ role, agent, limits: { roles } })
  const fit = candidates.find((agent) => whyUnfit(agent) === undefined) ?? first
  const unfit = whyUnfit(fit)
  return unfit === undefined ? success(fit) : failure(unfit)
}

/** Why an agent can never take a role; undefined if it can. */
function findUnfit(request: RoleRequest): AgentChoiceFailure | undefined {
  const { role, agent, limits } = request
  switch (whyNever(request)) {
    case 'role-allowed':
      return { type: 'agent-unfit', agent: agent.name, role, roles: agent.roles }
    case 'model-bound':
      return withoutUndefined({
        type: 'model-unbound' as const,
        agent: agent.name,
        role,
        model: modelOf(agent),
        models: limits.roles?.[role]?.models ?? [],
      })
    case undefined:
      return undefined
  }
}
