import type { Result } from '../domain/result.ts'
import type { SandboxPolicy } from '../domain/session/sandbox-policy.ts'
import type { HostFailure, HostId, HostStarted } from './session-host.ts'

export type TerminalSize = { readonly columns: number; readonly rows: number }

export type TerminalRequest = TerminalSize & {
  readonly hostId: HostId
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  /** The whole environment except TERM, which the terminal sets. */
  readonly environment: Readonly<Record<string, string>>
  readonly sandbox: SandboxPolicy
}

/** `tmux` terminals outlive the daemon; `pty` terminals are the daemon's own children and end with it. */
export type TerminalKind = 'tmux' | 'pty'

export type TerminalStarted = HostStarted & { readonly kind: TerminalKind }

/** What `inspect` found. A status above 128 is reported as the signal that shells mean by it. */
export type TerminalSnapshot =
  | { readonly type: 'absent' }
  | ({ readonly type: 'running' } & TerminalStarted)
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'signalled'; readonly signal: number }
  | { readonly type: 'lost'; readonly reason: string }

/** No program runs on that terminal, or it has ended. */
export type TerminalClosed = { readonly type: 'terminal-closed'; readonly hostId: HostId }

export type ViewerEnd =
  /** The program exited or the terminal was closed. */
  | { readonly type: 'terminal-end' }
  /** It paused for so long that the output it missed could not be kept. */
  | { readonly type: 'too-slow' }

export type ViewerRequest = TerminalSize & {
  readonly readOnly: boolean
  /** Bytes for an xterm-compatible terminal; the first ones draw the current screen. */
  readonly onData: (bytes: Uint8Array) => void
  /** Called once, unless the viewer was disposed first. */
  readonly onEnd: (end: ViewerEnd) => void
}

/** A person's live view of a terminal. Disposing it doesn't affect the program. */
export interface TerminalViewer extends Disposable {
  /** What the person typed; ignored for a read-only viewer. */
  write(bytes: Uint8Array): void
  resize(size: TerminalSize): void
  /** Stops `onData` until `resume`; the program keeps running. */
  pause(): void
  resume(): void
}

/**
 * Runs programs on terminals that people can watch and type into.
 *
 * Contract: `open` is idempotent by host id: called again for one that this or an earlier daemon opened, it starts
 * nothing and returns what is running. Any number of viewers may be connected. The terminal has the size of the last
 * one that is not read-only, and a viewer that reads nothing holds up neither the program nor the other viewers. Every
 * buffer is bounded. `close` asks the program to exit, waits, then kills it. When it resolves, no process of the
 * terminal is left (with containment `process-group`, none that stayed in the terminal's session), and it is final:
 * nothing opens under that id again. `write`, `submit`, `resize`, `close` and `remove` accept an absent or ended
 * terminal. No method signals a process that isn't ours. Disposing the host disconnects all viewers, ends `pty` terminals and leaves
 * `tmux` terminals running.
 */
export interface TerminalHost extends AsyncDisposable {
  /** The kind that `open` creates here. */
  readonly kind: TerminalKind
  open(request: TerminalRequest): Promise<Result<TerminalStarted, HostFailure>>
  inspect(hostId: HostId): Promise<TerminalSnapshot>
  /** Types `text` literally, including control characters. */
  write(hostId: HostId, text: string): Promise<void>
  /**
   * Enters a message as a person would: pastes it, gives the program time to read it, and presses Enter. Many programs
   * take an Enter that arrives together with text for a line break of a paste. Escape characters are left out.
   */
  submit(hostId: HostId, text: string): Promise<void>
  /** The size while no viewer determines it. */
  resize(hostId: HostId, size: TerminalSize): Promise<void>
  /** The visible screen as plain text, or the last one. For kind `pty`, roughly the end of the output. */
  screen(hostId: HostId): Promise<Result<string, TerminalClosed>>
  connect(hostId: HostId, request: ViewerRequest): Promise<Result<TerminalViewer, TerminalClosed>>
  /** Calls back, soon and at least once, after the program exited. */
  watch(hostId: HostId, onChange: () => void): Disposable
  close(hostId: HostId, graceMs: number): Promise<void>
  remove(hostId: HostId): Promise<void>
  /** Every terminal with a directory, for the reconciler. */
  list(): Promise<readonly HostId[]>
}
