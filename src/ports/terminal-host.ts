import type { Result } from '../domain/result.ts'
import type { SandboxPolicy } from '../domain/session/sandbox-policy.ts'
import type { HostFailure, HostId, HostStarted } from './session-host.ts'

export type TerminalSize = { readonly columns: number; readonly rows: number }

export type TerminalRequest = TerminalSize & {
  readonly hostId: HostId
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  /** The whole environment, save for TERM, which is the terminal's own. */
  readonly environment: Readonly<Record<string, string>>
  readonly sandbox: SandboxPolicy
}

/** `tmux` terminals outlive the daemon; those of kind `pty` are the daemon's own children and end with it. */
export type TerminalKind = 'tmux' | 'pty'

export type TerminalStarted = HostStarted & { readonly kind: TerminalKind }

/** What a look at a terminal found. A status above 128 is told as the signal that shells mean by it. */
export type TerminalSight =
  | { readonly type: 'absent' }
  | ({ readonly type: 'running' } & TerminalStarted)
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'signalled'; readonly signal: number }
  | { readonly type: 'lost'; readonly reason: string }

/** There is no program on that terminal, or none any more. */
export type TerminalClosed = { readonly type: 'terminal-closed'; readonly hostId: HostId }

export type ViewerEnd =
  /** The program ended or the terminal was closed. */
  | { readonly type: 'terminal-end' }
  /** It paused for so long that what it missed could not be kept. */
  | { readonly type: 'too-slow' }

export type ViewerRequest = TerminalSize & {
  readonly readOnly: boolean
  /** Bytes for a terminal that understands what xterm does; the first of them draw the present screen. */
  readonly onData: (bytes: Uint8Array) => void
  /** Called once, unless the viewer was disposed before. */
  readonly onEnd: (end: ViewerEnd) => void
}

/** A person's live view of a terminal. Disposing it leaves the program as it is. */
export interface TerminalViewer extends Disposable {
  /** What the person typed; of a read-only viewer it goes nowhere. */
  write(bytes: Uint8Array): void
  resize(size: TerminalSize): void
  /** Stops `onData` until `resume`; the program goes on meanwhile. */
  pause(): void
  resume(): void
}

/**
 * Runs programs on terminals that people can look at and type into.
 *
 * Contract: `open` is idempotent by host id: asked again for one that was opened, by this daemon or an earlier
 * one, it starts nothing and answers what runs. Any number of viewers may be connected; the terminal has the
 * size of the last one that is not read-only, and a viewer that takes nothing holds up neither the program nor
 * the others. Nothing is buffered without bound. `close` asks, waits, insists; when it resolves nothing of the
 * terminal is left alive (containment `process-group` promises this only for what stayed in the terminal's
 * session), and it is final: nothing opens under that id any more. `write`, `resize`, `close` and `remove` of
 * an absent or ended terminal are no errors. No method signals a process that is not ours. Disposing the host
 * lets go of all viewers, ends terminals of kind `pty` and leaves those of kind `tmux`.
 */
export interface TerminalHost extends AsyncDisposable {
  /** The kind that `open` makes here. */
  readonly kind: TerminalKind
  open(request: TerminalRequest): Promise<Result<TerminalStarted, HostFailure>>
  look(hostId: HostId): Promise<TerminalSight>
  /** Types `text` as it is, control characters included. */
  write(hostId: HostId, text: string): Promise<void>
  /** The size while no viewer has a say in it. */
  resize(hostId: HostId, size: TerminalSize): Promise<void>
  /** The visible screen as plain text, or the last one. Of kind `pty` it is the end of the output, roughly. */
  screen(hostId: HostId): Promise<Result<string, TerminalClosed>>
  connect(hostId: HostId, request: ViewerRequest): Promise<Result<TerminalViewer, TerminalClosed>>
  /** Calls back, soon and at least once, after the program ended. */
  watch(hostId: HostId, onChange: () => void): Disposable
  close(hostId: HostId, graceMs: number): Promise<void>
  remove(hostId: HostId): Promise<void>
  /** Every terminal with a directory, for the reconciler. */
  list(): Promise<readonly HostId[]>
}
