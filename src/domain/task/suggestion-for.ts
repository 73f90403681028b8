import { assertNever } from '../assert-never.ts'
import type { TaskId } from '../id.ts'

/** Why a task cannot go on by itself. */
export type FailureCause =
  /** Its tries were used up, and this is how the last one ended. */
  | { readonly type: 'agent-failed'; readonly taskId: TaskId }
  | { readonly type: 'timed-out'; readonly taskId: TaskId }
  | { readonly type: 'nothing-changed'; readonly taskId: TaskId }
  /** Its program could not be started at all. */
  | { readonly type: 'unstarted' }
  | { readonly type: 'setup-failed' }
  /** What it left could not be taken out of its tree. */
  | { readonly type: 'uncollected' }
  | { readonly type: 'check-failed'; readonly taskId: TaskId }
  | { readonly type: 'conflict' }
  /** A person was shown what would land, and said no or nothing. */
  | { readonly type: 'approval-denied'; readonly taskId: TaskId }
  /** A task it builds on did not land. */
  | { readonly type: 'dependency-lost' }
  | { readonly type: 'review-rejected'; readonly taskId: TaskId }
  | { readonly type: 'review-rounds-used'; readonly taskId: TaskId }
  | { readonly type: 'review-unusable'; readonly taskId: TaskId }
  | { readonly type: 'budget' }
  | { readonly type: 'time' }

/** What a person may do about it, in one line. */
export function suggestionFor(cause: FailureCause): string {
  switch (cause.type) {
    case 'agent-failed':
      return `see what the agent said with \`muster logs ${cause.taskId}\`; the next cycle may plan it in another form`
    case 'timed-out':
      return `see how far it came with \`muster diff ${cause.taskId}\`; raise limits.attemptMinutes or ask for less at once`
    case 'nothing-changed':
      return `see what the agent said with \`muster logs ${cause.taskId}\`; perhaps it is done already`
    case 'unstarted':
      return 'run `muster doctor` to see which agents can be started here'
    case 'setup-failed':
      return 'run the `setup` commands of muster.yaml in a fresh clone and correct the one that fails'
    case 'uncollected':
      return 'run `muster doctor`; what the agent left stays in the tree that the reason names'
    case 'check-failed':
      return `see the work with \`muster diff ${cause.taskId}\`; the next cycle begins with what the check said`
    case 'conflict':
      return 'the next cycle begins with a task that merges the two'
    case 'approval-denied':
      return `see the work with \`muster diff ${cause.taskId}\`; start again with a goal that says what you want instead`
    case 'dependency-lost':
      return 'see why the task it builds on did not land; the next cycle may plan both again'
    case 'review-rejected':
    case 'review-rounds-used':
      return `see the work with \`muster diff ${cause.taskId}\`; start again with a goal that says what you want`
    case 'review-unusable':
      return `see the work with \`muster diff ${cause.taskId}\`; bind another agent as reviewer and start again`
    case 'budget':
      return 'raise limits.budgetUsd or limits.dailyUsd in muster.yaml and start the job again'
    case 'time':
      return 'raise limits.jobMinutes in muster.yaml, or give `--time-limit`, and start the job again'
    default:
      return assertNever(cause)
  }
}
