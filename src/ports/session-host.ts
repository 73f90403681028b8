import type { Brand } from '../domain/id.ts'
import type { Result } from '../domain/result.ts'
import type { Containment, SandboxPolicy } from '../domain/session/sandbox-policy.ts'

/** Identifies one process of a session: the session's id, plus `.2`, `.3` and so on from the second process. */
export type HostId = Brand<string, 'host'>

export type HostRequest = {
  readonly hostId: HostId
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  /** The whole environment: nothing is inherited from the daemon. */
  readonly environment: Readonly<Record<string, string>>
  /** Bytes kept of stdout and of stderr; the rest is read and dropped, with a mark in the spool. */
  readonly outputCapBytes: number
  /** Whether the program has a protocol: its standard input is then what `write` wrote, otherwise empty. */
  readonly hasInput: boolean
  readonly sandbox: SandboxPolicy
}

export type HostStarted = {
  readonly pid: number
  /** The start time of that pid according to the kernel: together they identify one process forever. */
  readonly startTime: string
  readonly containment: Containment
}

export type HostFailure =
  | { readonly type: 'program-missing'; readonly program: string }
  | { readonly type: 'directory-missing'; readonly directory: string }
  | { readonly type: 'sandbox-unavailable'; readonly level: string; readonly problem: string }
  | { readonly type: 'host-unstartable'; readonly problem: string }

/** What `inspect` found. */
export type HostSnapshot =
  | { readonly type: 'absent' }
  | ({ readonly type: 'running' } & HostStarted)
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'signalled'; readonly signal: number }
  | { readonly type: 'lost'; readonly reason: string }

export type Spool = 'out' | 'err'

/** What a program printed and no spool has, because the process that writes the spool was killed. */
export type LostOutput = {
  readonly bytes: number
  /** Not every loss could be counted. */
  readonly mayBeMore: boolean
}

/**
 * Runs programs so that they outlive the daemon but never a stop.
 *
 * Contract: `start` is idempotent by host id: called again for one that this or an earlier daemon started, it starts
 * nothing and returns what is running. Output is append-only in two spools, which are complete before `inspect` returns
 * exited or signalled. Input is a file too: `write` puts bytes at an offset, so writing the same again changes nothing,
 * and the program reads them in order, none twice. `stop` asks the program to exit, waits, then kills it. When it
 * resolves, no process of the session is left (with containment `process-group`, none that stayed in the group), and
 * it is final: nothing starts under that id again. `stop`, `write`, `closeInput` and `remove` accept an absent session.
 * No method signals a process that isn't ours.
 */
export interface SessionHost {
  /** The directory of its files: prompt, outbox, spools. Created by `prepare`. */
  directoryOf(hostId: HostId): string
  prepare(hostId: HostId): Promise<string>
  /** How firmly `start` would contain a session with this policy on this machine. */
  containmentFor(policy: SandboxPolicy): Promise<Result<Containment, HostFailure>>
  /** Runs an empty program with this policy, to find out whether `start` could. Leaves nothing behind. */
  trySandbox(
    request: Pick<HostRequest, 'sandbox' | 'cwd' | 'environment'>,
  ): Promise<Result<Containment, HostFailure>>
  start(request: HostRequest): Promise<Result<HostStarted, HostFailure>>
  inspect(hostId: HostId): Promise<HostSnapshot>
  /** At most `limit` bytes of a spool from `offset`; empty at its end or if there is no spool. */
  read(hostId: HostId, spool: Spool, offset: number, limit: number): Promise<Uint8Array>
  /** Whether output beyond the cap was dropped from a spool. */
  truncated(hostId: HostId, spool: Spool): Promise<boolean>
  /** Undefined if nothing was lost. */
  lostOutput(hostId: HostId, spool: Spool): Promise<LostOutput | undefined>
  /**
   * How long the program has run, counted by its host, in steps of a few seconds. Time in which the machine slept or
   * the host was stopped doesn't count. Undefined if the host hasn't counted yet or can't.
   */
  ranMs(hostId: HostId): Promise<number | undefined>
  write(hostId: HostId, offset: number, bytes: Uint8Array): Promise<void>
  /** The program reads the end of its input after what was written. */
  closeInput(hostId: HostId): Promise<void>
  /** Calls back, soon and at least once, after a spool grew or the program exited. */
  watch(hostId: HostId, onChange: () => void): Disposable
  stop(hostId: HostId, graceMs: number): Promise<void>
  remove(hostId: HostId): Promise<void>
  /** Every session with a directory, for the reconciler. */
  list(): Promise<readonly HostId[]>
  /**
   * Shows all hosts that a daemon is running. A host ends its program if it sees no beat within its limit, or soon after
   * its own files are gone.
   */
  beat(): Promise<void>
}
