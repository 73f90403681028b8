import type { AgentChoiceFailure } from '../job/start-failure.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { modelOf, type RoleRequest, whyNever } from './admit.ts'

/** Why an agent can never take a role; undefined if it can. */
export function findUnfit(request: RoleRequest): AgentChoiceFailure | undefined {
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
