/** Who takes each role of a run, first choice first. */
export type Cast = Readonly<Record<string, readonly CastMember[]>>

export type CastMember = {
  /** The name of an agent of the job's plan. */
  readonly agent: string
  /** The role that it is admitted in: a role of the configuration, or the playbook's own if it names the agent. */
  readonly admittedAs: string
}
