/** The size and number of messages. Anything beyond is refused, never cut. */
export const MESSAGE_LIMITS = {
  bodyBytes: 64 * 1024,
  /** A longer text is stored apart from its message, which has only its start, so that inboxes and lists stay small. */
  wholeBodyBytes: 1024 * 1024,
  previewCharacters: 2000,
  /** The texts of one session that are stored apart. */
  wholeBytesPerSession: 16 * 1024 * 1024,
  subjectCharacters: 300,
  metadataBytes: 16 * 1024,
  keyCharacters: 200,
  /** Messages of any kind that one session may send. */
  perSession: 1000,
  /** A later deadline would outlive the sessions that could meet it. */
  deadlineDays: 30,
  /** Deadlines that the reconciler arms again in one round, the nearest first. */
  deadlinesPerRound: 500,
  /** The longest that a call waits for a message or an answer: clients give up after a minute, and expect a reply before. */
  waitSeconds: 45,
} as const
