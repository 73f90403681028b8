/** Who may take a role in a job, and how many sessions of the role may run at once. */
export type RoleBinding = {
  /** Names of agents, first choice first; the first one that is free gets the work. */
  readonly agents: readonly string[]
  /** The models the role may use; absent: any model. */
  readonly models?: readonly string[]
  /** Counts sessions of the role across all jobs; absent: no limit. */
  readonly maxParallel?: number
}

/** Role bindings by the name of the role. */
export type RoleBindings = Readonly<Record<string, RoleBinding>>

/** The binding of a role, where it has one. */
export function bindingOf(roles: RoleBindings | undefined, role: string): RoleBinding | undefined {
  return roles?.[role]
}
