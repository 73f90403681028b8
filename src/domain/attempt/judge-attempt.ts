import { describeSessionEnd } from '../session/describe-session-end.ts'
import type { SessionEnd } from '../session/session-state.ts'
import type { AttemptOutcome } from './attempt-state.ts'

/** Whether an ended attempt's claim is worth checking: it must have ended well and changed something. */
export function judgeAttempt(
  end: SessionEnd,
  filesChanged: number,
): Exclude<AttemptOutcome, { type: 'cancelled' }> {
  if (end.type !== 'exited' || end.code !== 0) {
    return { type: 'rejected', reason: `the agent ${describeSessionEnd(end)}` }
  }
  if (filesChanged === 0) {
    return { type: 'rejected', reason: 'the agent said it was done and changed nothing' }
  }
  return { type: 'accepted' }
}
