import type { HttpBindings } from '@hono/node-server'
import type { DaemonStatus } from '../contract/daemon-status.ts'
import type { SessionId } from '../domain/id.ts'
import type { Redact } from '../domain/redaction/redact.ts'
import type { Result } from '../domain/result.ts'
import type { JobCommands } from '../engine/jobs/job-commands.ts'
import type { MessageCommands } from '../engine/messages/message-commands.ts'
import type { Queries } from '../engine/queries/queries.ts'
import type { SessionCommands } from '../engine/sessions/session-commands.ts'
import type { EventFeed } from '../ports/event-feed.ts'
import type { Log } from '../ports/log.ts'
import type { TerminalHost } from '../ports/terminal-host.ts'

export type NotReady = { readonly type: 'store-unavailable' | 'not-ready'; readonly problem: string }

export type ServerNeeds = {
  readonly queries: Queries
  readonly feed: EventFeed
  readonly jobs: JobCommands
  readonly sessions: SessionCommands
  readonly messages: MessageCommands
  readonly terminals: TerminalHost
  /** A person sat down at a session's keyboard, or the last one left it. */
  onAttended(sessionId: SessionId, isAttended: boolean): void
  /** The session whose token this is; nothing for any other text. */
  sessionOfToken(text: string): SessionId | undefined
  /** Takes known secrets out of a text before it leaves. */
  readonly redact: Redact
  readonly token: string
  readonly version: string
  readonly log: Log
  status(): Promise<DaemonStatus>
  /** Whether the daemon can do its work now; answers soon, also when the database does not. */
  ready(): Promise<Result<void, NotReady>>
  /** Begins to stop the daemon and returns at once. */
  shutdown(): void
}

/** How patient the server is; the defaults are for real use. */
export type ServerTimes = {
  readonly heartbeatMs: number
  /** How long a client of a stream may take nothing before it is cut off. */
  readonly stallMs: number
  /** How long a client may take to send the head of a request. */
  readonly headersMs: number
}

export type ServerEnvironment = { Bindings: HttpBindings }
