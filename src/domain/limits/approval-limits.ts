/** Approvals: questions that wait for a person. */
export const APPROVAL_LIMITS = {
  /** After this time an undecided agent's question expires; `MUSTER_APPROVAL_MINUTES`. */
  minutes: 30,
  /** A landing in mode `approve` waits longer: a person may be away for days. */
  landingDays: 7,
  /** Finished work that waits for a person in one job at once. More waits its turn, because no one reviews that much. */
  openLandings: 32,
  /** Open questions of one session; more are denied at once, because no one reads that many. */
  openPerSession: 32,
  /** Pending approvals that `muster status` lists; the others are in `muster approvals`. */
  listed: 100,
  /** Pending approvals that one round of recovery or clean-up processes. */
  perRound: 1_000,
  /** The part of a diff that a landing's question shows; `muster diff` shows all of it. */
  patchBytes: 20_000,
} as const
