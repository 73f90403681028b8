import type { Brand } from '../domain/brand.ts'
import type { Result } from '../domain/result.ts'
import type { Containment, SandboxPolicy } from '../domain/session/sandbox-policy.ts'

/** Names one life of a session: its id, and from the second life on `.2`, `.3` and so on. A directory's name. */
export type HostId = Brand<string, 'host'>

export type HostRequest = {
  readonly hostId: HostId
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  /** The whole environment: nothing of the daemon's own leaks in. */
  readonly environment: Readonly<Record<string, string>>
  /** Bytes kept of each of stdout and stderr; the rest is read and dropped, with a mark in the spool. */
  readonly outputCapBytes: number
  /** Whether it is spoken to: its standard input is then what `write` wrote, else it is empty. */
  readonly hasInput: boolean
  readonly sandbox: SandboxPolicy
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
  | { readonly type: 'sandbox-unavailable'; readonly level: string; readonly problem: string }
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
 * Contract: `start` is idempotent by host id: asked again for one that was started, by this daemon or an
 * earlier one, it starts nothing and answers what runs. Output is append-only in two spools that are complete
 * before `look` says exited or signalled. Input is a file too: `write` puts bytes at an offset, so that
 * writing the same again changes nothing, and the program reads them in order, none twice. `stop` asks, waits,
 * insists; when it resolves nothing of the session is left alive (containment `process-group` promises this
 * only for what stayed in the group), and it is final: nothing starts under that id any more. `stop`, `write`,
 * `closeInput` and `remove` of an absent session are no errors. No method signals a process that is not ours.
 */
export interface SessionHost {
  /** Where its files are: prompt, outbox, spools. Created by `prepare`. */
  directoryOf(hostId: HostId): string
  prepare(hostId: HostId): Promise<string>
  /** How firmly `start` would hold a session with this policy, on this machine. */
  containmentFor(policy: SandboxPolicy): Promise<Result<Containment, HostFailure>>
  start(request: HostRequest): Promise<Result<HostStarted, HostFailure>>
  look(hostId: HostId): Promise<HostSight>
  /** At most `limit` bytes of a spool from `offset`; empty at its end or when there is none. */
  read(hostId: HostId, spool: Spool, offset: number, limit: number): Promise<Uint8Array>
  /** Whether output beyond the cap was dropped from a spool. */
  truncated(hostId: HostId, spool: Spool): Promise<boolean>
  write(hostId: HostId, offset: number, bytes: Uint8Array): Promise<void>
  /** The program reads the end of its input after what was written. */
  closeInput(hostId: HostId): Promise<void>
  /** Calls back, soon and at least once, after a spool grew or the program ended. */
  watch(hostId: HostId, onChange: () => void): Disposable
  stop(hostId: HostId, graceMs: number): Promise<void>
  remove(hostId: HostId): Promise<void>
  /** Every session with a directory, for the reconciler. */
  list(): Promise<readonly HostId[]>
  /** Tells all hosts that a daemon is there; a host that hears nothing for its limit ends itself. */
  beat(): Promise<void>
}
