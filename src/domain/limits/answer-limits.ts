/** How much of an agent's answer is used; the text is not ours. */
export const ANSWER_LIMITS = {
  /** Tasks in one planner's answer. If there are more, or longer ones, the planner is asked again. */
  tasks: 50,
  /** A task's description or context. */
  taskCharacters: 20_000,
  /** Issues in one review. Anything beyond this limit and those below is dropped. */
  reviewIssues: 30,
  /** A worker's or a reviewer's summary. */
  summaryCharacters: 2_000,
  /** The text of an issue or a suggestion, and the evidence for one criterion. */
  findingCharacters: 1_000,
  /** The evidence for one clause of the goal. */
  evidenceCharacters: 2_000,
  /** Items in any list of a planner's answer. */
  listItems: 200,
  /** Learnings in one answer. */
  learnings: 20,
} as const
