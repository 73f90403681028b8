const MINUTE = 60_000
const KIB = 1024
const MIB = 1024 * 1024

/** Sessions and their programs. Comments name the variable that overrides a limit. */
export const SESSION_LIMITS = {
  /** Agent sessions that run at once, across all jobs; `MUSTER_MAX_SESSIONS`. */
  running: 16,
  /** How long the place of an ended attempt is kept for what follows it. Settling usually takes less than a second. */
  keptPlaceMs: 5_000,
  /** Output kept per stream of a program; `MUSTER_OUTPUT_CAP_MB`. */
  outputMb: 64,
  /** Time between asking a program to exit and killing it; `MUSTER_STOP_GRACE_MS`. */
  stopGraceMs: 5_000,
  /** Time for a program to exit after its conversation has ended; `MUSTER_FINISH_GRACE_MS`. */
  finishGraceMs: 10_000,
  /** Time for a program to report that it is ready; `MUSTER_READY_SECONDS`. */
  readySeconds: 300,
  /** How long starting an attempt's program is retried before the attempt fails. */
  startPatienceMs: 30 * MINUTE,
  /** How long building a prompt may keep failing before the session is given up. */
  promptPatienceMs: 5 * MINUTE,
  /** A program that fills its spool sooner, without finishing a turn, would only fill the next one too. */
  leastProcessMs: MINUTE,
  /** How long a session is parked if its quota is used up and no reset time is known; `MUSTER_LIMIT_MINUTES`. */
  quotaMinutes: 15,
  /** The shortest and longest time that a session is parked, whatever its program reports. */
  leastQuotaMs: 1_000,
  mostQuotaMs: 7 * 24 * 60 * MINUTE,
  /** How long a session waits before it tries again whether its program can reach its model. */
  networkRetryMs: 60_000,
  /** The pause before a failed read or check of a session is repeated: short, because its program may wait for it. */
  watchRetryMs: 500,
  /** How full its context is when a session is asked to hand over; `MUSTER_HANDOFF_SHARE`. */
  handoffShare: 0.85,
  /** Time for each setup command of a new tree; `MUSTER_SETUP_MINUTES`. */
  setupMinutes: 15,
  /** The first prompt of a personal session. */
  promptBytes: 1_500_000,
  /** One message to a running session. */
  inputBytes: 256 * KIB,
  /** One question to an earlier session. */
  questionBytes: 64 * KIB,
  /** How long an earlier session gets to answer: by default, at least and at most. */
  questionSeconds: 60,
  leastQuestionSeconds: 10,
  mostQuestionSeconds: 300,
  /** The end of the output that is searched for an answer. */
  answerBytes: MIB,
  /** One line of plain output; a longer one is split into several events. */
  plainLineBytes: 128 * KIB,
  /** One line of a protocol: it is meaningless in parts, and may contain a whole file. */
  protocolLineBytes: 8 * MIB,
} as const
