/** What a job gets when neither the request nor the configuration says otherwise. */
export const JOB_DEFAULTS = {
  maxCycles: 20,
  /** Concurrent tasks. */
  parallel: 3,
  attemptMinutes: 30,
  jobMinutes: 480,
} as const

/** Cycles in a row in which nothing lands before a job ends with `no-progress`. */
export const FRUITLESS_CYCLES = 2
