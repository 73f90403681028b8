import type { Waiting } from '../admission/refusal.ts'
import type { Unready } from '../agent/unready.ts'
import type { TurnOutcome } from './turn-outcome.ts'

/** How a session ended: how its program exited, or the reason that was recorded first. */
export type SessionEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'signalled'; readonly signal: number }
  /** The conversation ended and the program was asked to exit. */
  | { readonly type: 'finished'; readonly turn: TurnOutcome }
  /** Another session continues the work. */
  | { readonly type: 'handed-over'; readonly to: string; readonly reason: string }
  | { readonly type: 'timed-out'; readonly afterMs: number }
  /** Stopped on request. Without a reason, a person stopped it and gave none. */
  | { readonly type: 'cancelled'; readonly reason?: string }
  /** It could not be started at all. `part`: what could not be made. */
  | { readonly type: 'unstarted'; readonly reason: string; readonly part?: 'tree' }
  /** One of the person's setup commands failed in the new tree, so its program was never started. */
  | { readonly type: 'unprepared'; readonly command: string; readonly code: number }
  /** The host is gone and left no exit status. */
  | { readonly type: 'lost'; readonly reason: string }

/** Why a session is suspended. */
export type Suspension =
  | { readonly type: 'asked'; readonly reason?: string }
  /** Out of quota; resumes automatically at `until` (ISO time). */
  | { readonly type: 'limited'; readonly reason: string; readonly until: string }
  /** Its program can't work until a person helps. At `until` (ISO time), if any, it tries again by itself. */
  | ({ readonly type: 'unready'; readonly until?: string } & Unready)

/** When a suspended session tries again by itself (ISO time); undefined if only a person resumes it. */
export function wakeTimeOf(why: Suspension): string | undefined {
  return why.type === 'asked' ? undefined : why.until
}

/** The prompt for a resumed session. `isWhole`: it is enough to begin a new conversation with. */
export type ResumeRequest = { readonly prompt: string; readonly isWhole?: boolean }

export type SessionState =
  /** A limit keeps its program from starting; whatever frees a place wakes it. */
  | ({ readonly type: 'waiting'; readonly resume?: ResumeRequest } & Waiting)
  | {
      readonly type: 'starting'
      /** When it got its place, if it had to wait or be resumed (ISO time). */
      readonly admittedAt?: string
      /** It has run before and is resumed with this. */
      readonly resume?: ResumeRequest
    }
  | { readonly type: 'running'; readonly pid: number; readonly startTime: string }
  | {
      readonly type: 'suspended'
      readonly why: Suspension
      /** Its program has exited and all its output is stored, so it can be started again. */
      readonly hasExited: boolean
      /** It is to be resumed with this. */
      readonly resume?: ResumeRequest
    }
  | { readonly type: 'terminating'; readonly why: TerminationCause; readonly isForced?: boolean }
  | { readonly type: 'terminated'; readonly end: SessionEnd }

export type TerminationCause = Extract<
  SessionEnd,
  { type: 'finished' | 'handed-over' | 'cancelled' | 'timed-out' }
>
