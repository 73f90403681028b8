import type { Attempt } from '../../domain/attempt/attempt.ts'
import { describeIssues } from '../../domain/review/describe-issues.ts'

/** What reviewers have asked for, oldest first: a text for each round. */
export function earlierReviews(attempts: readonly Attempt[]): readonly string[] {
  return attempts.flatMap(({ purpose, state }) => {
    if (purpose.type !== 'review' || state.type !== 'settled' || state.outcome.type !== 'accepted') return []
    const { verdict } = state.outcome
    return verdict?.type === 'needs-revision' ? [describeIssues(verdict)] : []
  })
}
