/** Documents of a job: its goal, the requested tasks, and what was learnt. */
export const DOCUMENT_LIMITS = {
  /** A goal, or the requested tasks, in UTF-8. Larger ones are refused. */
  bytes: 1_500_000,
  /** Learnings that are kept in a goal; the oldest go first. */
  learnings: 50,
  learningCharacters: 300,
} as const
