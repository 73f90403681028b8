const MINUTE = 60_000
const KIB = 1024
const MIB = 1024 * 1024

/** Sessions and their programs. What a variable can change is named with it. */
export const SESSION_LIMITS = {
  /** Agent sessions that run at once, over all jobs; `MUSTER_MAX_SESSIONS`. */
  running: 16,
  /** Output kept of each stream of a program; `MUSTER_OUTPUT_CAP_MB`. */
  outputMb: 64,
  /** Between asking a program to end and killing it; `MUSTER_STOP_GRACE_MS`. */
  stopGraceMs: 5_000,
  /** For a program whose conversation has ended to exit by itself; `MUSTER_FINISH_GRACE_MS`. */
  finishGraceMs: 10_000,
  /** For a program to report in its protocol that it is ready; `MUSTER_READY_SECONDS`. */
  readySeconds: 300,
  /** How long a session is parked when its quota is used up and no reset time is known; `MUSTER_LIMIT_MINUTES`. */
  quotaMinutes: 15,
  /** The least and the most that a session is parked, whatever its program says. */
  leastQuotaMs: 1_000,
  mostQuotaMs: 7 * 24 * 60 * MINUTE,
  /** The share of its context at which a session is asked to hand over; `MUSTER_HANDOFF_SHARE`. */
  handoffShare: 0.85,
  /** For each setup command of a new tree; `MUSTER_SETUP_MINUTES`. */
  setupMinutes: 15,
  /** Unused trees kept ready for a project while a job of it runs; `MUSTER_WARM_TREES`. */
  warmTrees: 2,
  /** Free disk needed to start a job; `MUSTER_MINIMUM_FREE_MB`. */
  minimumFreeMb: 200,
  /** The first prompt of a personal session. */
  promptBytes: 1_500_000,
  /** One message to a running session. */
  inputBytes: 256 * KIB,
  /** One question to an earlier session. */
  questionBytes: 64 * KIB,
  /** The end of the output in which an answer is looked for. */
  answerBytes: MIB,
  /** One line of plain output; a longer one becomes several events. */
  plainLineBytes: 128 * KIB,
  /** One line of a protocol: it means something only as a whole, and may hold a whole file. */
  protocolLineBytes: 8 * MIB,
} as const
