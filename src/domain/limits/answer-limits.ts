/** What is taken from an agent's answer, which is text of others. */
export const ANSWER_LIMITS = {
  /** Tasks of one planner's answer. With more of them, or longer ones, the planner is asked again. */
  tasks: 50,
  /** A task's description or context. */
  taskCharacters: 20_000,
  /** Issues of one review; the rest is left out, as it is of what follows. */
  reviewIssues: 30,
  /** The summary of a worker or a reviewer. */
  summaryCharacters: 2_000,
  /** Learnings of one answer. */
  learnings: 20,
} as const
