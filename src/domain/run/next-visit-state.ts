import { assertNever } from '../assert-never.ts'
import { firstCheck } from '../check/check-progress.ts'
import { type CheckEvent, nextCheckProgress } from '../check/next-check-progress.ts'
import type { ApprovalId, RunId, SessionId } from '../id.ts'
import type { Outcome } from '../playbook/outcome.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type { VisitState } from './visit.ts'

export type VisitEvent =
  | { readonly type: 'attempt-start' }
  | { readonly type: 'checks-start'; readonly sessionId: SessionId }
  | CheckEvent
  | { readonly type: 'gate-ask'; readonly approvalId: ApprovalId }
  /** Its agent has no quota, and its session is stopped so that the playbook's next answer to that can be tried. */
  | { readonly type: 'quota-stop' }
  /** Its agent's program can't work, and its session is stopped so that another agent gets the visit. */
  | { readonly type: 'unready-stop' }
  /** A person is asked what to do about its trouble. */
  | { readonly type: 'visit-escalate'; readonly approvalId: ApprovalId }
  | { readonly type: 'child-start'; readonly runId: RunId }
  /** Its attempt failed, and another one follows, at once or at a time, or once a person says so. */
  | { readonly type: 'visit-retry'; readonly until?: string }
  | { readonly type: 'visit-settle'; readonly outcome: Outcome }
  /** Its run was cancelled. */
  | { readonly type: 'visit-cancel' }

/** The only place a visit changes state. Pure: the caller stores the result. */
export function nextVisitState(state: VisitState, event: VisitEvent): Result<VisitState, IllegalTransition> {
  const illegal = failure(illegalTransition('visit', state.type, event.type))
  if (state.type === 'settled' || state.type === 'cancelled') return illegal
  const only = (from: VisitState['type'], next: VisitState): Result<VisitState, IllegalTransition> =>
    state.type === from ? success(next) : illegal
  switch (event.type) {
    case 'attempt-start':
      return only('waiting', { type: 'working' })
    case 'checks-start':
      return only('waiting', { type: 'checking', ...firstCheck(event.sessionId) })
    case 'check-next':
    case 'check-again':
      return state.type === 'checking' ? success(nextCheckProgress(state, event)) : illegal
    case 'gate-ask':
      return only('waiting', { type: 'asking', approvalId: event.approvalId })
    case 'child-start':
      return only('waiting', { type: 'running-child', runId: event.runId })
    case 'quota-stop':
      return only('working', { type: 'working', isOutOfQuota: true })
    case 'unready-stop':
      return only('working', { type: 'working', isUnready: true })
    case 'visit-escalate':
      return only('working', { type: 'asking', approvalId: event.approvalId })
    case 'visit-retry':
      if (state.type !== 'working' && state.type !== 'asking') return illegal
      return success({ type: 'waiting', ...(event.until === undefined ? {} : { until: event.until }) })
    case 'visit-settle':
      return success({ type: 'settled', outcome: event.outcome })
    case 'visit-cancel':
      return success({ type: 'cancelled' })
    default:
      return assertNever(event)
  }
}
