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
} as const
