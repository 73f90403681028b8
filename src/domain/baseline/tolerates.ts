import type { FailureKind } from '../check/check-problem.ts'
import type { CheckResult } from '../landing/check-result.ts'
import { type Baseline, failuresOf } from './baseline.ts'

/** What is said wherever work is shown that may have landed with failing checks. */
export const BASE_TOLERATED =
  "checks that failed on the base aren't held against this work, and may still fail"

/**
 * Whether a check that fails on a job's work failed on its base in the same way. With exit codes alone, nothing finer
 * can be said: which tests failed isn't known. A setup that fails is never tolerated, because nothing was checked.
 */
export function tolerates(
  baseline: Pick<Baseline, 'results'>,
  check: { readonly command: string; readonly kind: FailureKind | undefined },
  /** The results of the candidates that have landed in the job. */
  landed: readonly CheckResult[],
): boolean {
  if (check.kind === undefined || check.kind === 'setup') return false
  // Once the command has passed on the working branch, it must keep passing.
  if (landed.some(({ command, passed }) => passed && command === check.command)) return false
  return failuresOf(baseline).some(
    ({ command, failure }) => command === check.command && failure === check.kind,
  )
}
