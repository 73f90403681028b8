import { assertNever } from '../assert-never.ts'
import type { ApprovalId, VisitId } from '../id.ts'
import type { RunEnd } from '../playbook/route.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type { RunState } from './run.ts'

export type RunEvent =
  /** A person decides whether work that is only partial, or that nobody judged, is to land. */
  | {
      readonly type: 'run-ask'
      readonly end: RunEnd
      readonly work: VisitId
      readonly approvalId: ApprovalId
      readonly reason: string
    }
  | { readonly type: 'run-end'; readonly end: RunEnd; readonly work?: VisitId; readonly reason?: string }
  | { readonly type: 'run-cancel'; readonly reason: string }

/** The only place a run changes state. Pure: the caller stores the result. */
export function nextRunState(state: RunState, event: RunEvent): Result<RunState, IllegalTransition> {
  const illegal = failure(illegalTransition('run', state.type, event.type))
  if (state.type === 'ended' || state.type === 'cancelled') return illegal
  switch (event.type) {
    case 'run-ask': {
      const { type: _, ...question } = event
      return state.type === 'running' ? success({ type: 'asking', ...question }) : illegal
    }
    case 'run-end': {
      const { type: _, ...result } = event
      return success({ type: 'ended', ...result })
    }
    case 'run-cancel':
      return success({ type: 'cancelled', reason: event.reason })
    default:
      return assertNever(event)
  }
}
