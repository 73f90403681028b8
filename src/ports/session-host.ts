import type { SessionId } from '../domain/id.ts'
import type { Result } from '../domain/result.ts'
import type { Containment } from '../domain/session/session-state.ts'

export type HostRequest = {
  readonly sessionId: SessionId
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  /** The whole environment: nothing of the daemon's own leaks in. */
  readonly environment: Readonly<Record<string, string>>
  /** Bytes kept of each of stdout and stderr; the rest is read and dropped, with a mark in the spool. */
  readonly outputCapBytes: number
}

export type HostStarted = {
  readonly pid: number
  /** Start time of that pid as the kernel tells it: together they name one process for ever. */
  readonly startTime: string
  readonly containment: Containment
}

export type HostFailure =
  | { readonly type: 'program-missing'; readonly program: string }
  | { readonly type: 'directory-missing'; readonly directory: string }
  | { readonly type: 'host-unstartable'; readonly problem: string }

/** What a look at a session's host found. */
export type HostSight =
  | { readonly type: 'absent' }
  | ({ readonly type: 'running' } & HostStarted)
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'signalled'; readonly signal: number }
  | { readonly type: 'lost'; readonly reason: string }

export type Spool = 'out' | 'err'

/**
 * Runs programs so that they outlive the daemon and never outlive a stop.
 *
 * Contract: `start` is idempotent by session id: asked again for a session that was started, by this daemon
 * or an earlier one, it starts nothing and answers what runs. Output is append-only in two spools that are
 * complete before `look` says exited or signalled. `stop` asks, waits, insists; when it resolves nothing of
 * the session is left alive (containment `process-group` promises this only for what stayed in the group).
 * `stop` and `remove` of an absent session are no errors. No method signals a process that is not ours.
 */
export interface SessionHost {
  /** Where a session's files are: prompt, outbox, spools. Created by `prepare`. */
  directoryOf(sessionId: SessionId): string
  prepare(sessionId: SessionId): Promise<string>
  start(request: HostRequest): Promise<Result<HostStarted, HostFailure>>
  look(sessionId: SessionId): Promise<HostSight>
  /** At most `limit` bytes of a spool from `offset`; empty at its end or when there is none. */
  read(sessionId: SessionId, spool: Spool, offset: number, limit: number): Promise<Uint8Array>
  /** Whether output beyond the cap was dropped from a spool. */
  truncated(sessionId: SessionId, spool: Spool): Promise<boolean>
  /** Calls back, soon and at least once, after a spool grew or the program ended. */
  watch(sessionId: SessionId, onChange: () => void): Disposable
  stop(sessionId: SessionId, graceMs: number): Promise<void>
  remove(sessionId: SessionId): Promise<void>
  /** Every session with a directory, for the reconciler. */
  list(): Promise<readonly SessionId[]>
  /** Tells all hosts that a daemon is there; a host that hears nothing for its limit ends itself. */
  beat(): Promise<void>
}
