/** Bounds on playbooks and their runs. */
export const RUN_LIMITS = {
  /** More branches than this are rarely worth their cost, and few machines can run them at once. */
  branches: 8,
  /** A playbook with more stages can't be understood, and checking it would take long. */
  stages: 100,
  /** A prompt must fit into the context of every model. */
  promptBytes: 256 * 1024,
  /** Above this bound, `validate` warns that a run could become expensive. */
  usualVisits: 100,
} as const
