import type { Attempt } from '../../domain/attempt/attempt.ts'
import { attemptRulesOf } from '../../domain/attempt/attempt-purpose.ts'
import type { Session } from '../../domain/session/session.ts'

/**
 * A planner or a reviewer also runs what others have written, such as their tests. That code must not be able to replace
 * it or to tell its successor what to answer, so such a session hands over only if its context is nearly full.
 */
export function handoffRefusal(
  { conversation }: Session,
  attempt: Attempt,
  to: string | undefined,
): string | undefined {
  if (attemptRulesOf(attempt).makesWork) return undefined
  if (to !== undefined) return 'only a session whose changes are the work can choose its successor'
  return conversation.isAskedToHandOff === true ? undefined : 'Muster has not asked it to hand over'
}
