/** How large and how many messages may be. What goes beyond is refused, never cut. */
export const MESSAGE_LIMITS = {
  bodyBytes: 64 * 1024,
  subjectCharacters: 300,
  metadataBytes: 16 * 1024,
  keyCharacters: 200,
  /** Messages that one session may send, of every kind. */
  perSession: 1000,
} as const
