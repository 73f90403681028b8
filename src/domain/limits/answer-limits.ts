/** How much of an agent's answer is used; the text is not ours. */
export const ANSWER_LIMITS = {
  /** Tasks in one planner's answer. If there are more, or longer ones, the planner is asked again. */
  tasks: 50,
  /** A task's description or context. */
  taskCharacters: 20_000,
  /** A worker's summary. Anything beyond this limit and those below is dropped. */
  summaryCharacters: 2_000,
  /** A worker's evidence for one criterion. */
  findingCharacters: 1_000,
  /** The evidence for one clause of the goal. */
  evidenceCharacters: 2_000,
  /** Items in any list of a planner's answer. */
  listItems: 200,
  /** Learnings in one answer. */
  learnings: 20,
  /** The answer of a visit of a playbook. Later visits read it in their prompts, so anything beyond this is dropped. */
  visit: {
    /** A name, or a place in a file. */
    wordCharacters: 500,
    /** A sentence or two. */
    textCharacters: 2_000,
    /** Something that is explained at length, such as the approach of a design. */
    longCharacters: 20_000,
    /** The text of a document: a report or a plan. */
    documentCharacters: 60_000,
    listItems: 50,
  },
  /** One learning. More than a goal keeps of it (`DOCUMENT_LIMITS`), so that its line in a goal shows that it was cut. */
  learningCharacters: 400,
} as const
