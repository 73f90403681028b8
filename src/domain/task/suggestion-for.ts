import { assertNever } from '../assert-never.ts'
import type { JobId, RunId, TaskId } from '../id.ts'

/** Why a task can't continue on its own. */
export type FailureCause =
  /** Its attempts are used up, and this is how the last one ended. */
  | { readonly type: 'agent-failed'; readonly taskId: TaskId }
  | { readonly type: 'timed-out'; readonly taskId: TaskId }
  | { readonly type: 'nothing-changed'; readonly taskId: TaskId }
  /** Its program could not be started at all. */
  | { readonly type: 'unstarted' }
  | { readonly type: 'setup-failed' }
  /** Its work could not be collected from its tree. */
  | { readonly type: 'uncollected' }
  /** Its work must not land: its tree was incomplete, for example. */
  | { readonly type: 'refused'; readonly taskId: TaskId }
  | { readonly type: 'check-failed'; readonly taskId: TaskId }
  | { readonly type: 'conflict' }
  /** A person was shown what would land, and denied it or didn't answer. */
  | { readonly type: 'approval-denied'; readonly taskId: TaskId; readonly jobId: JobId }
  /** A task it builds on did not land. */
  | { readonly type: 'dependency-lost' }
  /** Its run ended without work that may land. */
  | { readonly type: 'run-ended'; readonly taskId: TaskId }
  /** Its run ended, and there is no work: only what its agents wrote. */
  | { readonly type: 'run-without-work'; readonly runId: RunId }
  /** Its run ended with work that no reviewer could judge. */
  | { readonly type: 'unjudged'; readonly taskId: TaskId }
  | { readonly type: 'budget' }
  | { readonly type: 'time' }

/** What a person can do about it, in one line. */
export function suggestionFor(cause: FailureCause): string {
  switch (cause.type) {
    case 'agent-failed':
      return `read the agent's output with \`muster logs ${cause.taskId}\`; the next cycle may plan it differently`
    case 'timed-out':
      return `see how far it got with \`muster diff ${cause.taskId}\`; raise limits.attemptMinutes or split the task`
    case 'nothing-changed':
      return `read the agent's output with \`muster logs ${cause.taskId}\`; the task may already be done`
    case 'unstarted':
      return 'run `muster doctor` to see which agents can be started here'
    case 'setup-failed':
      return 'run the `setup` commands of muster.yaml in a fresh clone and fix the one that fails'
    case 'uncollected':
      return "run `muster doctor`; the agent's work is still in the tree named in the reason"
    case 'refused':
      return `see what was refused with \`muster diff ${cause.taskId}\`; the next cycle may plan it differently`
    case 'check-failed':
      return `see the work with \`muster diff ${cause.taskId}\`; the next cycle starts from the check's output`
    case 'conflict':
      return 'the next cycle starts with a task that merges both'
    case 'approval-denied':
      return `${lookOrRestore(cause.taskId)}; while the job runs, change its goal with \`muster edit ${cause.jobId}\`; start a new job with a goal that says what you want`
    case 'dependency-lost':
      return 'check why the task it builds on did not land; the next cycle may plan both again'
    case 'run-ended':
      return `${lookOrRestore(cause.taskId)}; start another run with a goal that says what you want`
    case 'run-without-work':
      return `read what it came to with \`muster export ${cause.runId}\`; start another run with a goal that says what you want`
    case 'unjudged':
      return `${lookOrRestore(cause.taskId)}; choose another reviewer (\`muster doctor\` lists the agents) and start again`
    case 'budget':
      return 'raise limits.budgetUsd or limits.dailyUsd in muster.yaml and start a new job'
    case 'time':
      return 'raise limits.jobMinutes in muster.yaml, or pass `--time-limit`, and start a new job'
    default:
      return assertNever(cause)
  }
}

/** For work that someone decided against, and that a person may want after all. */
function lookOrRestore(taskId: TaskId): string {
  return `see the work with \`muster diff ${taskId}\`; restore it with \`muster recover ${taskId}\``
}
