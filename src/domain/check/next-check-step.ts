import type { SessionEnd } from '../session/session-state.ts'
import type { CheckProblem } from './check-problem.ts'
import type { CheckProgress } from './check-progress.ts'
import { type CheckRetry, retryCheck } from './retry-check.ts'

/**
 * What a check that failed means for the checks after it. `stop`: none of them runs. `continue`: they run, because
 * someone needs the result of each. `tolerate`: they run, and the failure was expected, so it gets no second chance.
 */
export type FailureRule = 'stop' | 'continue' | 'tolerate'

/** A check that has ended. */
export type EndedCheck = {
  readonly commands: readonly string[]
  readonly progress: CheckProgress
  readonly end: SessionEnd
  /** Undefined if it passed. */
  readonly problem: CheckProblem | undefined
  /** Applies only if there is a problem. */
  readonly rule: FailureRule
}

/** What follows the end of a check. */
export type CheckStep =
  | {
      readonly type: 'next'
      readonly index: number
      readonly command: string
      /** The check before it failed and may have changed the tree. */
      readonly isAfterFailure: boolean
    }
  /** All checks run again in a new tree, because a check may need files that earlier checks made. */
  | ({ readonly type: 'again' } & CheckRetry)
  /** No further check runs because of this problem. */
  | { readonly type: 'stop'; readonly problem: CheckProblem }
  /** Every check has run. */
  | { readonly type: 'end' }

/** Decides what follows the end of a check, the same for everyone who has a commit checked. */
export function nextCheckStep({ commands, progress, end, problem, rule }: EndedCheck): CheckStep {
  if (problem !== undefined) {
    const effective = hasResult(problem) ? rule : 'stop'
    const retry = effective === 'tolerate' ? undefined : retryCheck(progress, end)
    if (retry !== undefined) return { type: 'again', ...retry }
    if (effective === 'stop') return { type: 'stop', problem }
  }
  const index = progress.checkIndex + 1
  const command = commands[index]
  return command === undefined
    ? { type: 'end' }
    : { type: 'next', index, command, isAfterFailure: problem !== undefined }
}

/** Without a result for the tree, the checks after it would have none either. */
function hasResult({ kind }: CheckProblem): boolean {
  return kind !== undefined && kind !== 'setup'
}
