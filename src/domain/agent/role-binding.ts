/** Who may take a role in a job, and how many sessions of the role may run at once. */
export type RoleBinding = {
  /** Agent names in order of preference. */
  readonly agents: readonly string[]
  /** The models the role may use; absent: any model. */
  readonly models?: readonly string[]
  /** Counts sessions of the role across all jobs; absent: no limit. */
  readonly maxParallel?: number
}

/** Role bindings by the name of the role. */
export type RoleBindings = Readonly<Record<string, RoleBinding>>

export function bindingOf(roles: RoleBindings | undefined, role: string): RoleBinding | undefined {
  return roles?.[role]
}

/** The agents that may be chosen for a role: those bound to it, preferred first, or else those that list it. */
export function candidatesFor<Agent extends { readonly name: string; readonly roles: readonly string[] }>(
  agents: readonly Agent[],
  roles: RoleBindings | undefined,
  role: string,
): readonly Agent[] {
  const bound = bindingOf(roles, role)?.agents ?? []
  if (bound.length === 0) return agents.filter((agent) => agent.roles.includes(role))
  return bound.flatMap((name) => agents.filter((agent) => agent.name === name))
}

/** What a role may be called: lower-case letters, digits and hyphens. */
export const ROLE_NAME = /^[a-z][a-z0-9-]{0,63}$/
