import { assertNever } from '../../../domain/assert-never.ts'
import type { TaskWait } from '../../follow/task-waits.ts'
import type { Hint } from '../../hint.ts'
import { startWaitWords } from '../session/session-words.ts'
import { momentWords } from '../text/elapsed.ts'
import { safeLine } from '../text/safe-text.ts'

/** What a task is waiting for, with a command that helps if there is one. */
export function taskWaitWords(wait: TaskWait, now: Date, hint: Hint): string {
  switch (wait.type) {
    case 'approval':
      return `waiting for you: ${hint(`muster approve ${wait.approvalId}`)}`
    case 'landing-approval':
      return `waiting for your approval to land: ${hint(`muster diff ${wait.approvalId}, then: muster approve ${wait.approvalId}`)}`
    case 'quota':
      return `waiting for quota${untilWords(wait.until, now)}`
    case 'suspended':
      return `waiting for you: ${wait.why === undefined ? '' : `${safeLine(wait.why)}, then: `}${hint(`muster resume ${wait.sessionId}`)}`
    case 'start':
      return startWaitWords(wait, now)
    default:
      return assertNever(wait)
  }
}

function untilWords(until: string | undefined, now: Date): string {
  return until === undefined ? '' : ` until ${momentWords(new Date(until), now)}`
}
