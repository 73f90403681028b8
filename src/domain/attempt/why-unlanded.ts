import { isLandingFinished, type Landing } from '../landing/landing.ts'
import { reasonLine } from '../task/reason-line.ts'
import type { Task } from '../task/task.ts'
import type { Attempt } from './attempt.ts'
import { attemptRulesOf } from './attempt-purpose.ts'

type Facts = {
  readonly attempt: Attempt
  /** The entry that its work had in the merge queue, if it got that far. */
  readonly landing: Landing | undefined
  readonly task: Task | undefined
}

/** Why the work of an attempt did not land, in one line. */
export function whyUnlanded({ attempt, landing, task }: Facts): string {
  const { state } = attempt
  if (state.type === 'settled' && state.outcome.type === 'rejected') return reasonLine(state.outcome.reason)
  if (state.type === 'settled' && state.outcome.type === 'cancelled') return 'the attempt was cancelled'
  if (landing?.state.type === 'rejected') return reasonLine(landing.state.reason)
  if (landing?.state.type === 'conflicted') return `conflicts in ${landing.state.paths.join(', ')}`
  if (landing !== undefined && !isLandingFinished(landing.state)) return 'it is in the merge queue'
  if (task?.state.type === 'review') return 'it is waiting for its review'
  if (task !== undefined && 'reason' in task.state) return reasonLine(task.state.reason)
  return attemptRulesOf(attempt).makesWork
    ? 'it never reached the merge queue'
    : 'it was not asked to change files'
}
