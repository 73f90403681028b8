/** Who takes each role of a run, first choice first. */
export type Cast = Readonly<Record<string, readonly CastMember[]>>

export type CastMember = {
  /** The name of an agent of the job's plan. */
  readonly agent: string
  /** The role that it is admitted in: a role of the configuration, or the playbook's own if it names the agent. */
  readonly admittedAs: string
  /**
   * Its role should be unlike another one, but this agent isn't known to use another model family than the other role's
   * first choice.
   */
  readonly sameFamily?: true
}

/** The roles whose first choice isn't known to be of another model family, although the playbook asks for one. */
export function sameFamilyRoles(cast: Cast): readonly string[] {
  return Object.keys(cast).filter((role) => cast[role]?.[0]?.sameFamily === true)
}
