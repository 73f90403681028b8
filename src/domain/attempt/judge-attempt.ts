import { describeSessionEnd } from '../session/describe-session-end.ts'
import type { SessionEnd } from '../session/session-state.ts'
import type { FailureCause } from '../task/suggestion-for.ts'
import type { AttemptState } from './attempt-state.ts'

type Ended = Pick<Extract<AttemptState, { type: 'ended' }>, 'end' | 'ending'>

export type AttemptFailure = {
  readonly cause: Extract<
    FailureCause['type'],
    'agent-failed' | 'timed-out' | 'nothing-changed' | 'unstarted' | 'setup-failed' | 'uncollected'
  >
  readonly reason: string
}

/** Whether an ended attempt's claim is worth checking: it must have ended well and changed something. */
export function judgeAttempt(
  { end, ending }: Ended,
  hasChanged: boolean,
): { readonly type: 'accepted' } | ({ readonly type: 'rejected' } & AttemptFailure) {
  if (ending === 'crashed' && end.type === 'exited') {
    const reason = `the agent ${describeSessionEnd(end)} in the middle of its work`
    return { type: 'rejected', cause: 'agent-failed', reason }
  }
  if (ending !== 'done') {
    return { type: 'rejected', cause: causeOf(end), reason: `the agent ${describeSessionEnd(end)}` }
  }
  if (!hasChanged) {
    const reason = 'the agent said it was done and changed nothing'
    return { type: 'rejected', cause: 'nothing-changed', reason }
  }
  return { type: 'accepted' }
}

function causeOf(end: SessionEnd): AttemptFailure['cause'] {
  switch (end.type) {
    case 'timed-out':
    case 'unstarted':
      return end.type
    case 'unprepared':
      return 'setup-failed'
    default:
      return 'agent-failed'
  }
}
