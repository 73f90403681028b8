import type { CriterionResult } from '../task/criterion-result.ts'

/** The words of a verdict, as a reviewer writes them and a playbook routes them. */
export const VERDICTS = ['APPROVED', 'NEEDS_REVISION', 'REJECTED'] as const

export type VerdictWord = (typeof VERDICTS)[number]

export type ReviewIssue = {
  readonly severity: string
  readonly location: string
  readonly issue: string
  readonly suggestion: string
}

/** What a reviewer decided about one exact state of the work. */
export type Verdict = {
  readonly type: 'approved' | 'needs-revision' | 'rejected'
  readonly summary: string
  readonly issues: readonly ReviewIssue[]
  readonly criteria: readonly CriterionResult[]
}

/** Whether a visit ended with a verdict. */
export function isVerdict(outcome: string | undefined): outcome is VerdictWord {
  return VERDICTS.some((word) => word === outcome)
}
