import type { CheckProblem } from './check-problem.ts'
import type { CheckProgress } from './check-progress.ts'

/** How one check ended, for people. */
export type CheckOutcome = {
  readonly detail: string
  /** It failed on this tree and passed when it ran again. */
  readonly isFlaky?: true
}

export function checkOutcome(
  { checkIndex, suspects }: Pick<CheckProgress, 'checkIndex' | 'suspects'>,
  problem: CheckProblem | undefined,
): CheckOutcome {
  if (problem !== undefined) return { detail: problem.text }
  return suspects.includes(checkIndex)
    ? { detail: 'failed once and passed when it ran again', isFlaky: true }
    : { detail: 'passed' }
}
