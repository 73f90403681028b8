import type { Approval, ApprovalState } from '../approval/approval.ts'
import type { ApprovalAction } from '../approval/approval-action.ts'
import type { ApprovalId, ApprovalRuleId, TaskId } from '../id.ts'
import type { EventPlace } from './event-place.ts'
import { builderOf } from './new-event.ts'

export type ApprovalEvents = {
  readonly approval_requested: {
    readonly approvalId: ApprovalId
    readonly agent: string
    readonly action: ApprovalAction
    readonly digest: string
    readonly expiresAt: string
    /** The rule that allows it at once, so that it waits for no one. */
    readonly ruleId?: ApprovalRuleId
  }
  readonly approval_decided: {
    readonly approvalId: ApprovalId
    readonly digest: string
    readonly decision: ApprovalState
    /** A rule decided it when it was requested; no one was asked. */
    readonly isAtOnce?: true
  }
}

const event = builderOf<ApprovalEvents>()

export function approvalRequested(
  approval: Approval,
  agent: string,
  /** `action`: a shortened action, if the whole one is too long for an event. */
  { taskId, action = approval.action }: { readonly taskId?: TaskId; readonly action?: ApprovalAction } = {},
) {
  const place = { ...placeOf(approval), ...(taskId === undefined ? {} : { taskId }) }
  const { id, digest, expiresAt, state } = approval
  const ruleId = state.type === 'allowed' ? state.ruleId : undefined
  return event('approval_requested', place, {
    approvalId: id,
    agent,
    action,
    digest,
    expiresAt: expiresAt.toISOString(),
    ...(ruleId === undefined ? {} : { ruleId }),
  })
}

export function approvalDecided(approval: Approval, { isAtOnce }: { readonly isAtOnce?: true } = {}) {
  const { id, digest, state } = approval
  return event('approval_decided', placeOf(approval), {
    approvalId: id,
    digest,
    decision: state,
    ...(isAtOnce === undefined ? {} : { isAtOnce }),
  })
}

function placeOf({ jobId, attemptId, asker }: Approval): EventPlace {
  return {
    ...(asker.type === 'session' ? { sessionId: asker.sessionId } : {}),
    ...(jobId === undefined ? {} : { jobId }),
    ...(attemptId === undefined ? {} : { attemptId }),
  }
}
