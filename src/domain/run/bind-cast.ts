import { whyNever } from '../admission/admit.ts'
import type { AgentSpec } from '../agent/agent-spec.ts'
import { candidatesFor, type RoleBinding, type RoleBindings } from '../agent/role-binding.ts'
import type { Cast } from './cast.ts'

/**
 * The role bindings of the configuration, with those that admit every member of a cast: who starts a playbook gives its
 * roles to the agents that it names. Whoever could take a role before still can.
 */
export function bindCast(roles: RoleBindings, agents: readonly AgentSpec[], cast: Cast): RoleBindings {
  const bound: Record<string, RoleBinding> = { ...roles }
  for (const { agent: name, admittedAs: role } of Object.values(cast).flat()) {
    const agent = agents.find((one) => one.name === name)
    if (agent === undefined || whyNever({ role, agent, limits: { roles: bound } }) !== 'role-allowed')
      continue
    const candidates = candidatesFor(agents, bound, role).map((one) => one.name)
    bound[role] = { ...bound[role], agents: [...candidates, name] }
  }
  return bound
}
