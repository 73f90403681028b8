/** The HTTP edge: requests, server-sent events (SSE) and terminals. */
export const HTTP_LIMITS = {
  /** A comment on every open SSE stream, so that both ends notice a dead connection. */
  heartbeatMs: 15_000,
  /** A client of a stream or a terminal that takes nothing for this long is cut off. */
  stallMs: 10_000,
  /** For the head of a request, and for the whole of it. */
  headersMs: 10_000,
  requestMs: 60_000,
  bodyBytes: 2 * 1024 * 1024,
  headerBytes: 16 * 1024,
  connections: 1_000,
  keepAliveMs: 5_000,
  /** For open requests when the daemon stops. */
  closeMs: 2_000,
  /** What a client should wait after a 503. */
  retryAfterSeconds: 2,
  /** Terminals watched at once. */
  viewers: 200,
  /** How long an agent's call waits for an answer at most; its client gives up after a minute. */
  waitSeconds: 45,
} as const
