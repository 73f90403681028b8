/** How a session's program ended, as the host saw it. */
export type SessionEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'signalled'; readonly signal: number }
  | { readonly type: 'timed-out'; readonly afterMs: number }
  | { readonly type: 'cancelled'; readonly reason: string }
  /** Could not be started at all. */
  | { readonly type: 'unstarted'; readonly reason: string }
  /** The host is gone and left no exit status. */
  | { readonly type: 'lost'; readonly reason: string }

/** How firmly a session's processes are held: what a stop is certain to reach. */
export type Containment = 'pid-namespace' | 'process-group'

export type SessionState =
  | { readonly type: 'starting' }
  | { readonly type: 'running'; readonly pid: number; readonly startTime: string }
  | { readonly type: 'suspended' }
  | { readonly type: 'terminating'; readonly why: TerminationCause }
  | { readonly type: 'terminated'; readonly end: SessionEnd }

export type TerminationCause =
  | { readonly type: 'cancelled'; readonly reason: string }
  | { readonly type: 'timed-out'; readonly afterMs: number }
