import type { HttpBindings } from '@hono/node-server'
import type { DaemonStatus } from '../contract/daemon-status.ts'
import type { WireEnvironment } from '../contract/environment.ts'
import type { WireStorage } from '../contract/storage.ts'
import type { AuditCheck } from '../domain/audit/audit-check.ts'
import type { AuditRow } from '../domain/audit/audit-row.ts'
import type { BackupFailure, BackupState } from '../domain/backup/backup-state.ts'
import type { SessionId } from '../domain/id.ts'
import type { Redact } from '../domain/redaction/redact.ts'
import type { Result } from '../domain/result.ts'
import type { CleanupCommands } from '../engine/cleanup/cleanup-commands.ts'
import type { JobCommands } from '../engine/jobs/job-commands.ts'
import type { MessageCommands } from '../engine/messages/message-commands.ts'
import type { PlaybookQueries } from '../engine/queries/playbooks.ts'
import type { Queries } from '../engine/queries/queries.ts'
import type { SessionCommands } from '../engine/sessions/session-commands.ts'
import type { TrustCommands } from '../engine/trust/trust-commands.ts'
import type { EventFeed } from '../ports/event-feed.ts'
import type { Log } from '../ports/log.ts'
import type { TerminalHost } from '../ports/terminal-host.ts'

/** What the API offers for the audit log. */
export type AuditCommands = {
  list(query: { readonly after?: number | undefined; readonly limit: number }): Promise<readonly AuditRow[]>
  /** Checks the whole chain. */
  verify(): Promise<AuditCheck>
  /** Records that a person has seen what is wrong with the chain. */
  accept(): Promise<Result<AuditCheck, { readonly type: 'audit-intact' }>>
}

/** What the API offers for backups. */
export type BackupCommands = {
  readonly state: BackupState
  start(request: {
    readonly file: string
    readonly force?: boolean | undefined
  }): Result<BackupState, BackupFailure>
}

export type NotReady = { readonly type: 'store-unavailable' | 'not-ready'; readonly problem: string }

export type ServerNeeds = {
  readonly queries: Queries
  readonly feed: EventFeed
  readonly jobs: JobCommands
  readonly sessions: SessionCommands
  readonly messages: MessageCommands
  readonly audit: AuditCommands
  readonly backup: BackupCommands
  readonly trust: TrustCommands
  readonly playbooks: PlaybookQueries
  readonly cleanup: CleanupCommands
  readonly terminals: TerminalHost
  /** A person took a session's keyboard, or the last one left it. */
  onAttended(sessionId: SessionId, isAttended: boolean): void
  /** The session that owns this token; undefined for any other text. */
  sessionOfToken(text: string): SessionId | undefined
  /** Removes known secrets from a text before it is sent. */
  readonly redact: Redact
  readonly token: string
  readonly version: string
  readonly log: Log
  status(): Promise<DaemonStatus>
  /** Measures the home and checks its repositories, which may take a minute. */
  storage(): Promise<WireStorage>
  /** What the daemon was started with. */
  environment(): Promise<WireEnvironment>
  /** Whether the daemon can work now; answers quickly even if the database doesn't. */
  ready(): Promise<Result<void, NotReady>>
  /** Begins to stop the daemon and returns at once. */
  shutdown(): void
}

/** The server's timeouts; the defaults are for production. */
export type ServerTimes = {
  readonly heartbeatMs: number
  /** How long a stream client may read nothing before it is disconnected. */
  readonly stallMs: number
  /** How long a client may take to send the headers of a request. */
  readonly headersMs: number
}

export type ServerEnvironment = { Bindings: HttpBindings }
