import { describeEndOf } from '../session/describe-session-end.ts'
import type { SessionEnd } from '../session/session-state.ts'
import type { FailureCause } from '../task/suggestion-for.ts'
import type { AttemptState } from './attempt.ts'

type Ended = Pick<Extract<AttemptState, { type: 'ended' }>, 'end' | 'ending'>

export type AttemptFailure = {
  readonly cause: Extract<
    FailureCause['type'],
    | 'agent-failed'
    | 'timed-out'
    | 'nothing-changed'
    | 'unstarted'
    | 'setup-failed'
    | 'uncollected'
    | 'refused'
  >
  readonly reason: string
  /** Everything known about the failure, for whoever tries next; absent if the reason says it all. */
  readonly detail?: string
}

/** The end of a program's standard error, and the line of it that best explains the failure. */
export type LastWords = { readonly line: string; readonly text: string }

/** Whether an ended attempt's work is worth checking: it must have ended well and changed something. */
export function judgeAttempt(
  { end, ending }: Ended,
  hasChanged: boolean,
  lastWords?: LastWords,
): { readonly type: 'accepted' } | ({ readonly type: 'rejected' } & AttemptFailure) {
  if (ending === 'crashed' && end.type === 'exited') {
    const reason = `${describeEndOf('the agent', end)} in the middle of its work`
    return { type: 'rejected', cause: 'agent-failed', ...withWords(reason, lastWords) }
  }
  if (ending !== 'done') {
    const reason = describeEndOf('the agent', end)
    return { type: 'rejected', cause: causeOf(end), ...withWords(reason, lastWords) }
  }
  if (!hasChanged) {
    const reason = 'the agent said it was done but changed nothing'
    return { type: 'rejected', cause: 'nothing-changed', reason }
  }
  return { type: 'accepted' }
}

function withWords(
  reason: string,
  lastWords: LastWords | undefined,
): Pick<AttemptFailure, 'reason' | 'detail'> {
  if (lastWords === undefined) return { reason }
  const line = `${reason}: ${lastWords.line}`
  return {
    reason: line,
    ...(lastWords.text === lastWords.line ? {} : { detail: `${line}\n${lastWords.text}` }),
  }
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
