/** What is done about a visit in trouble, how often, and how long Muster waits before. */
export const RECOVERY_LIMITS = {
  /** The wait before a program starts again, as what stopped the last one may still be there. */
  firstWaitMs: 5_000,
  /** Each further try waits twice as long as the one before, but not longer than this. */
  mostWaitMs: 30_000,
  /** Up to this share is added to each wait, so that visits in the same trouble don't all start again at once. */
  jitterShare: 0.2,
  /** How long an agent that is out of time gets to finish once it has been asked to. It may be in a long turn. */
  nudgeGraceMs: 120_000,
  /** How often one visit waits for quota. It costs no try, but a visit that never gets any must end. */
  quotaWaits: 5,
  /** The most recoveries that a playbook can ask for. */
  mostPerVisit: 20,
  mostPerRun: 200,
} as const

/** How often a visit may be recovered if its playbook doesn't say. */
export const RECOVERY_DEFAULTS = {
  /** A visit that has failed more often fails again with the same input. */
  perVisit: 3,
  /** A run in which this many visits are in trouble has a cause that no recovery removes. */
  perRun: 10,
} as const
