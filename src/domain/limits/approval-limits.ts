/** Approvals: questions that wait for a person. */
export const APPROVAL_LIMITS = {
  /** An agent's question that no one decides expires; `MUSTER_APPROVAL_MINUTES`. */
  minutes: 30,
  /** A landing in mode `approve` waits longer: a person may be away for days. */
  landingDays: 7,
  /** Open questions of one session; further ones are denied at once, because no one reads so many. */
  openPerSession: 32,
  /** Pending approvals that `muster status` lists; the others are in `muster approvals`. */
  listed: 100,
  /** Pending approvals that one round of recovery or clean-up looks at. */
  perRound: 1_000,
  /** The part of a diff that a landing's question shows; `muster diff` shows all of it. */
  patchBytes: 20_000,
} as const
