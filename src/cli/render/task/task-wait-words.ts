import { assertNever } from '../../../domain/assert-never.ts'
import type { TaskWait } from '../../follow/task-waits.ts'
import type { Hint } from '../../hint.ts'
import { startWaitWords } from '../session/session-words.ts'
import { momentWords } from '../text/elapsed.ts'

/** What a task waits for, with the command that helps where one does. */
export function taskWaitWords(wait: TaskWait, now: Date, hint: Hint): string {
  switch (wait.type) {
    case 'approval':
      return `waits for you: ${hint(`muster approve ${wait.approvalId}`)}`
    case 'quota':
      return `waits for quota${untilWords(wait.until, now)}`
    case 'suspended':
      return `waits for you: ${hint(`muster resume ${wait.sessionId}`)}`
    case 'start':
      return startWaitWords(wait, now)
    default:
      return assertNever(wait)
  }
}

function untilWords(until: string | undefined, now: Date): string {
  return until === undefined ? '' : ` until ${momentWords(new Date(until), now)}`
}
