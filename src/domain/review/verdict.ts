import type { CriterionResult } from '../task/criterion-result.ts'

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
