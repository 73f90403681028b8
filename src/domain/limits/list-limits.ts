/** How long lists are. */
export const LIST_LIMITS = {
  /** Items of a page when the request names no limit, and at most. */
  page: 50,
  mostOfPage: 200,
  /** Events of a page when the request names no limit, and at most. */
  events: 200,
  mostEvents: 1_000,
  /** How far back a list over all jobs can be paged; older records are found through their job. */
  recent: 1_000,
  /** Open questions of agents that `muster status` lists; older ones are in `muster messages`. */
  openQuestions: 200,
  /** Versions of a goal or of the requested tasks that are listed. */
  documents: 20,
  /** A diff: bytes of its patch, and files. */
  patchBytes: 200_000,
  patchFiles: 1_000,
} as const
