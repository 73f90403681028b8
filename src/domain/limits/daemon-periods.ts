/** What the daemon does again and again. */
export const DAEMON_PERIODS = {
  /** The reconciler compares rows with the world and sends again what was lost. */
  reconcileMs: 30_000,
  /** The daemon's sign of life for session hosts. */
  beatMs: 60_000,
  /** A program whose host sees no sign of life for this long is ended. */
  unwatchedMinutes: 30,
  /** The end of the audit chain is copied to the home. */
  auditHeadMs: 5_000,
  /** The connection with the lock on the database is tried. */
  lockProbeMs: 10_000,
} as const

/** The daemon's log is put aside at the next start when it is larger. */
export const LOG_BYTES = 10 * 1024 * 1024
