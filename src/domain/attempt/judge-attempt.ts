import { describeSessionEnd } from '../session/describe-session-end.ts'
import type { AttemptOutcome, AttemptState } from './attempt-state.ts'

/** Whether an ended attempt's claim is worth checking: it must have ended well and changed something. */
export function judgeAttempt(
  { end, ending }: Pick<Extract<AttemptState, { type: 'ended' }>, 'end' | 'ending'>,
  filesChanged: number,
): Exclude<AttemptOutcome, { type: 'cancelled' }> {
  if (ending === 'crashed' && end.type === 'exited') {
    return { type: 'rejected', reason: `the agent ${describeSessionEnd(end)} in the middle of its work` }
  }
  if (ending !== 'done') return { type: 'rejected', reason: `the agent ${describeSessionEnd(end)}` }
  if (filesChanged === 0) {
    return { type: 'rejected', reason: 'the agent said it was done and changed nothing' }
  }
  return { type: 'accepted' }
}
