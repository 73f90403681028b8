/** The merge queue and its checks. What a variable can change is named with it. */
export const LANDING_LIMITS = {
  /** Landings merged into one candidate. */
  batch: 8,
  /** Waiting landings that are compared to find a batch that conflicts least. */
  offer: 32,
  /** One check; `MUSTER_CHECK_MINUTES`. */
  checkMinutes: 15,
  /** Candidates of a job checked at once; `MUSTER_CHECK_SLOTS`. */
  checkSlots: 2,
  /** The end of a failed check's output that is kept with the landing. */
  checkOutputBytes: 4_000,
  /** The longest pause before a check that could not be started is started again. */
  checkPauseMs: 30_000,
} as const
