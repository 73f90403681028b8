/** What the daemon does periodically. */
export const DAEMON_PERIODS = {
  /** The reconciler compares rows with the world and sends lost work again. */
  reconcileMs: 30_000,
  /** The daemon's heartbeat for session hosts. */
  beatMs: 60_000,
  /** A host ends its program if it sees no heartbeat for this long. */
  unwatchedMinutes: 30,
  /** How often, at least, a host checks for the heartbeat and for its own files. */
  hostLookMs: 10_000,
  /** How often the end of the audit chain is copied to the home. */
  auditHeadMs: 5_000,
  /** How often the connection that holds the database lock is probed. */
  lockProbeMs: 10_000,
  /** How often the daemon makes sure that its home is still its own. It also watches the directory. */
  homeCheckMs: 2_000,
} as const

/** A daemon log larger than this is rotated at the next start. */
export const LOG_BYTES = 10 * 1024 * 1024
