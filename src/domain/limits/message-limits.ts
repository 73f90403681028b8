/** The size and number of messages. Anything beyond is refused, never cut. */
export const MESSAGE_LIMITS = {
  bodyBytes: 64 * 1024,
  subjectCharacters: 300,
  metadataBytes: 16 * 1024,
  keyCharacters: 200,
  /** Messages of any kind that one session may send. */
  perSession: 1000,
} as const
