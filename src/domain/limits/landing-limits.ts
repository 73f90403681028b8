/** The merge queue and its checks. Comments name the variable that overrides a limit. */
export const LANDING_LIMITS = {
  /** Landings merged into one candidate. */
  batch: 8,
  /** Waiting landings compared to find the batch with the fewest conflicts. */
  offer: 32,
  /** Time for one check; `MUSTER_CHECK_MINUTES`. */
  checkMinutes: 15,
  /** Candidates of a job checked at once; `MUSTER_CHECK_SLOTS`. */
  checkSlots: 2,
  /** Runs of a check whose end was lost, or whose setup failed, before the candidate fails. */
  lostChecks: 3,
  /** Tries to start a check: a disk may be full for some minutes. */
  unstartedChecks: 10,
  /**
   * Files that work may change before a person must see it; `MUSTER_UNUSUAL_FILES`. Few tasks change a hundred files,
   * and the smallest tree of packages has more than this.
   */
  unusualFiles: 500,
  /** Size of the new and changed files; `MUSTER_UNUSUAL_MB`. Source code is far smaller; archives and builds aren't. */
  unusualMb: 20,
  /** The end of a failed check's output that is kept with the landing. */
  checkOutputBytes: 4_000,
  /** The longest pause before starting a check again that could not be started. */
  checkPauseMs: 30_000,
} as const
