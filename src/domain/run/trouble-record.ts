import type { AttemptId } from '../id.ts'
import type { ErrorCode } from './error-code.ts'
import type { GiveUpCause, TroubleAction } from './trouble-action.ts'

/** Something that went wrong with a visit, and what was done about it. */
export type TroubleRecord = {
  readonly code: ErrorCode
  /** ISO time. */
  readonly at: string
  readonly reason: string
  /** The attempt that was in trouble. */
  readonly attemptId?: AttemptId
  readonly action: TroubleAction
  /** Why nothing more was tried. */
  readonly because?: GiveUpCause
  /** The agent that took over. */
  readonly to?: string
  /** When it is tried again, or, after a nudge, when the time is over (ISO time). */
  readonly until?: string
  /** The next try continues the conversation, with its work. Any other try starts where the visit started. */
  readonly isContinued?: true
}
