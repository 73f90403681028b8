import type { Verdict } from '../review/verdict.ts'
import type { Ending } from '../session/ending.ts'
import type { SessionEnd } from '../session/session-state.ts'

export type AttemptOutcome =
  /** Of a reviewer's attempt with what it decided: the review is kept with it. */
  | { readonly type: 'accepted'; readonly verdict?: Verdict }
  | { readonly type: 'rejected'; readonly reason: string }
  | { readonly type: 'cancelled' }

export type AttemptState =
  | { readonly type: 'preparing' }
  | { readonly type: 'running' }
  /** The session is over; what it left has not been judged yet. */
  | { readonly type: 'ended'; readonly end: SessionEnd; readonly ending: Ending }
  | { readonly type: 'settled'; readonly outcome: AttemptOutcome }
