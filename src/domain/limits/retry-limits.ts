/** How often something is tried before it counts as failed. Each first try is included. */
export const RETRY_LIMITS = {
  /** Attempts of a task that fail; `limits.maxAttempts`. Attempts that a reviewer asked for are not counted. */
  taskAttempts: 2,
  /** Unusable answers of a planner before the job ends in error. */
  discoveries: 3,
  /** Unusable answers of a reviewer on the same commit before the task is blocked. */
  reviewerAnswers: 3,
  /** Rounds of revision that a reviewer may ask for before the task is blocked. */
  reviewRounds: 3,
  /** Runs of a check that nobody saw end, or whose setup failed, before the candidate fails. */
  lostChecks: 3,
  /** Starts of a check that cannot be started: a disk may be full for some minutes. */
  unstartedChecks: 10,
  /** Fast-forwards of a person's branch while someone else moves it. */
  fastForwards: 3,
  /** Rebuilds of a person's merge because a branch moves during its checks. */
  mergeRebuilds: 3,
  /** Tasks in a row that exist only to resolve the conflict of the one before. */
  conflictTasks: 3,
  /** Handoffs of one attempt, from a full context to a fresh session. */
  handoffs: 8,
  /** Commits of the task list to a branch that moves meanwhile. */
  taskListCommits: 5,
  /** Reads of a row that others change at the same time, in one piece of work. */
  staleReads: 5,
  /** Runs of a transaction that the database refuses because of another. */
  transactions: 5,
  /** Runs of one piece of work in the queue; after that the reconciler sends it again. */
  queuedWork: 20,
  /** Failed readings of a session's output in a row before its program is stopped. */
  spoolReads: 10,
} as const

/** For how long git, a disk or a database may refuse before the work at hand is given up. */
export const GIVE_UP_AFTER_MS = 10 * 60_000
