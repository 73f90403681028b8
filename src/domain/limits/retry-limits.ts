/** How often something is tried before it counts as failed, including the first try. */
export const RETRY_LIMITS = {
  /** Failed attempts of a task; `limits.maxAttempts`. */
  taskAttempts: 2,
  /** Unusable answers of a planner before the job fails. */
  discoveries: 3,
  /** Fast-forwards of a person's branch while someone else moves it. */
  fastForwards: 3,
  /** Rebuilds of a person's merge because a branch moves during its checks. */
  mergeRebuilds: 3,
  /** Tasks in a row that only resolve the conflict of the one before. */
  conflictTasks: 3,
  /** Handoffs of one attempt, from a full context to a fresh session. */
  handoffs: 8,
  /** Commits of the task list while its branch moves. */
  taskListCommits: 5,
  /** Reads of a row that others are changing, in one piece of work. */
  staleReads: 5,
  /** Runs of a transaction that the database aborts because of another. */
  transactions: 5,
  /** Runs of one piece of work in the queue; after that the reconciler sends it again. */
  queuedWork: 20,
  /** Consecutive failed reads of a session's output before its program is stopped. */
  spoolReads: 10,
} as const

/** How long git, a disk or a database may fail before the current work is given up. */
export const GIVE_UP_AFTER_MS = 10 * 60_000
