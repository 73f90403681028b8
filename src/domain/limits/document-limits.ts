/** Documents of a job: its goal, the requested tasks and its learnings. */
export const DOCUMENT_LIMITS = {
  /** A goal, or the requested tasks, in UTF-8. Larger ones are refused. */
  bytes: 1_500_000,
  /** Clauses of a goal; the last one stands for all that exceed the limit. */
  clauses: 50,
  clauseCharacters: 500,
  /** Learnings of one cycle; whatever exceeds the limit is dropped. */
  cycleLearningBytes: 4_096,
  /** Learnings kept in a goal; the oldest are dropped first. */
  learnings: 50,
  learningCharacters: 300,
} as const
