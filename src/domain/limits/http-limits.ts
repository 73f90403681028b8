/** The HTTP edge: requests, server-sent events (SSE) and terminals. */
export const HTTP_LIMITS = {
  /** How often each SSE stream gets a comment, so both ends notice a dead connection. */
  heartbeatMs: 15_000,
  /** A stream or terminal client that reads nothing for this long is disconnected. */
  stallMs: 10_000,
  /** For the headers of a request, and for the whole request. */
  headersMs: 5_000,
  requestMs: 60_000,
  /** Large enough for the largest goal, even if some of its text must be escaped. */
  bodyBytes: 2 * 1024 * 1024,
  headerBytes: 16 * 1024,
  connections: 1_000,
  /** Connections without a valid request. Beyond this, the oldest are closed if they are older than `newMs`. */
  unauthenticatedConnections: 50,
  newMs: 1_000,
  /** The same, however new they are. */
  newUnauthenticatedConnections: 300,
  /** Connections of all agents, and of each session. */
  agentConnections: 250,
  sessionConnections: 32,
  /** A person's event streams and terminals. What is left of all connections is for the person's commands. */
  streams: 250,
  keepAliveMs: 5_000,
  /** How long open requests get when the daemon stops. */
  closeMs: 2_000,
  /** How long a client should wait after a 503. */
  retryAfterSeconds: 2,
  /** Problems listed in the response to an invalid request. */
  issues: 20,
  /** A wake for the feed of all jobs can come before its events are readable, so that stream also polls. */
  feedPollMs: 1_000,
  /** Events that a stream reads at once. */
  streamPage: 500,
  /** One write to a stream. With a socket's own buffer, well under the 256 KiB that may be queued for a client. */
  streamWriteBytes: 128 * 1024,
  /** Terminals watched at once. */
  viewers: 200,
  /** How often a terminal client is pinged; it is dead after this many unanswered pings. */
  pingMs: 20_000,
  unansweredPings: 3,
  /** One message of a terminal client. */
  frameBytes: 1024 * 1024,
  /** A terminal client with more than this buffered is behind, so the program's output is not read for it. */
  viewerBufferBytes: 64 * 1024,
} as const
