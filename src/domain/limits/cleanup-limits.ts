/** When old things may be removed. Nothing here happens by itself: a person runs `muster clean` or `muster gc`. */
export const CLEANUP_LIMITS = {
  /** `muster clean` removes jobs that ended longer ago than this, unless told otherwise. */
  jobDays: 30,
  /** `muster clean` keeps work that did not land for this long, so people have time to notice it's missing. */
  pinnedDays: 30,
  /** Results of base checks that no job refers to are kept for this long; after that, few jobs start from that base. */
  baselineDays: 7,
  /** Objects that nothing refers to are kept for this long: a git that is just running may be about to refer to them. */
  unreachableHours: 24,
  /** `muster clean` reads this many jobs at a time. */
  jobsAtOnce: 100,
} as const
