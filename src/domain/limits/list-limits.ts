/** Lengths of lists. */
export const LIST_LIMITS = {
  /** Items per page by default, and at most. */
  page: 50,
  mostOfPage: 200,
  /** Events per page by default, and at most. */
  events: 200,
  mostEvents: 1_000,
  /** How far back a list across all jobs goes; older records are listed with their job. */
  recent: 1_000,
  /** Open questions of agents that `muster status` lists; older ones are in `muster messages`. */
  openQuestions: 200,
  /** Records of one kind that are searched by name. */
  names: 200,
  /** Versions of a goal or of the requested tasks that are listed. */
  documents: 20,
  /** Reports of several jobs by default, and at most. */
  reports: 5,
  mostReports: 20,
  /** A diff: bytes of its patch, and files. */
  patchBytes: 200_000,
  patchFiles: 1_000,
} as const
