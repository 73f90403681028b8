/** What fits into a prompt, in characters unless it says otherwise. Longer parts are shortened, and the prompt says so. */
export const PROMPT_LIMITS = {
  worker: { goal: 8_000, failure: 8_000, handoff: 16_000 },
  planner: {
    goal: 64_000,
    clauses: 26_000,
    taskList: 32_000,
    /** Files of the repository, and files that the job has changed, with the length of each list. */
    files: 500,
    changedFiles: 200,
    fileText: 24_000,
    /** Commits, with the length of their list. */
    commits: 20,
    commitText: 4_000,
    /** Earlier cycles, and tasks that failed. */
    summaries: 10,
    setbacks: 30,
    /** Playbooks that tasks may name. */
    playbooks: 30,
    entry: 2_000,
    suggestion: 500,
  },
  /** A visit of a playbook. Its role's prompt comes in addition, as a whole. */
  visit: {
    goal: 64_000,
    /** The entry of a list that the visit is about. */
    item: 8_000,
    /** Everything that the visit sees, divided evenly; no answer or output of checks has more than its own limit. */
    seen: 200_000,
    answer: 32_000,
    checkOutput: 16_000,
    /** The diff: bytes that are read, and characters that are shown. */
    patchBytes: 60_000,
    patch: 64_000,
    /** All candidates that a judge compares, divided evenly. */
    candidates: 200_000,
    /** Files in a diff, or files that must not change, with the length of each list. */
    files: 300,
    fileText: 16_000,
    /** Each list of the notebook. */
    notebook: 8_000,
    /** The newest earlier rounds, and one of them. */
    rounds: 5,
    round: 8_000,
    /** A playbook's own JSON Schema. */
    schema: 32_000,
  },
  /** What was wrong with an earlier answer. */
  problem: 2_000,
} as const
