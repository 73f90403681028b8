import type { AttemptId } from '../id.ts'
import type { RecoverAction } from '../playbook/playbook.ts'
import type { ErrorCode } from './error-code.ts'

/** Something that went wrong with a visit, and what was done about it. */
export type TroubleRecord = {
  readonly code: ErrorCode
  /** ISO time. */
  readonly at: string
  readonly reason: string
  /** The attempt that was in trouble. */
  readonly attemptId?: AttemptId
  readonly action: TroubleAction
  /** When it is tried again, or, after a nudge, when the time is over (ISO time). */
  readonly until?: string
  /** The next try continues the conversation, with its work. Any other try starts where the visit started. */
  readonly isContinued?: true
}

/**
 * `give-up`: nothing was left to do, or the tries were used up. `wait`: the session tries again by itself. `begin-anew`: a
 * conversation couldn't be continued, so a new one begins; that costs no try.
 */
export type TroubleAction = RecoverAction | 'give-up' | 'wait' | 'begin-anew'
