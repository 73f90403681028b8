import type { Waiting } from '../admission/refusal.ts'
import type { TurnOutcome } from './turn-outcome.ts'

/** How a session ended: as the host saw its program end, or for the reason that was recorded first. */
export type SessionEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'signalled'; readonly signal: number }
  /** The conversation came to its end and the program was sent home. */
  | { readonly type: 'finished'; readonly turn: TurnOutcome }
  /** Another session goes on with the work. */
  | { readonly type: 'handed-over'; readonly to: string; readonly reason: string }
  | { readonly type: 'timed-out'; readonly afterMs: number }
  | { readonly type: 'cancelled'; readonly reason: string }
  /** Could not be started at all. */
  | { readonly type: 'unstarted'; readonly reason: string }
  /** A setup command of the person's failed in its new tree: its program was not even tried. */
  | { readonly type: 'unprepared'; readonly command: string; readonly code: number }
  /** The host is gone and left no exit status. */
  | { readonly type: 'lost'; readonly reason: string }

/** Why a session rests. */
export type Suspension =
  | { readonly type: 'asked'; readonly reason: string }
  /** Out of quota; goes on by itself at `until` (ISO time). */
  | { readonly type: 'limited'; readonly reason: string; readonly until: string }

/** What a session that goes on is told; `isWhole`: a conversation begun anew would need no more than this. */
export type ResumeWish = { readonly prompt: string; readonly isWhole?: boolean }

export type SessionState =
  /** A limit keeps its program from starting; whatever frees a place wakes it. */
  | ({ readonly type: 'waiting'; readonly resume?: ResumeWish } & Waiting)
  | {
      readonly type: 'starting'
      /** When it was given its place, if it had to wait or to be resumed (ISO time). */
      readonly admittedAt?: string
      /** It has run before and is resumed with this. */
      readonly resume?: ResumeWish
    }
  | { readonly type: 'running'; readonly pid: number; readonly startTime: string }
  | {
      readonly type: 'suspended'
      readonly why: Suspension
      /** Its program is gone and everything it printed is stored: it can be started again. */
      readonly isOver: boolean
      /** It is to go on, with this said to it. */
      readonly resume?: ResumeWish
    }
  | { readonly type: 'terminating'; readonly why: TerminationCause; readonly isForced?: boolean }
  | { readonly type: 'terminated'; readonly end: SessionEnd }

export type TerminationCause = Extract<
  SessionEnd,
  { type: 'finished' | 'handed-over' | 'cancelled' | 'timed-out' }
>
