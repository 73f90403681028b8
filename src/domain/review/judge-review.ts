import { assertNever } from '../assert-never.ts'
import { RETRY_LIMITS } from '../limits/retry-limits.ts'
import type { Task } from '../task/task.ts'
import { firstIssueOf } from './describe-issues.ts'
import type { Verdict } from './verdict.ts'

/** What happens to a task after its review. */
export type ReviewConsequence =
  | { readonly type: 'land' }
  | { readonly type: 'revise' }
  | {
      readonly type: 'block'
      readonly cause: 'review-rejected' | 'review-rounds-used'
      readonly reason: string
    }

/** The number of rounds is limited, so a reviewer that is never satisfied can't keep a job busy forever. */
export function judgeReview(verdict: Verdict, task: Pick<Task, 'rounds'>): ReviewConsequence {
  switch (verdict.type) {
    case 'approved':
      return { type: 'land' }
    case 'needs-revision':
      if (task.rounds < RETRY_LIMITS.reviewRounds) return { type: 'revise' }
      return {
        type: 'block',
        cause: 'review-rounds-used',
        reason: `the reviewer still wants changes after ${task.rounds} rounds: ${firstIssueOf(verdict)}`,
      }
    case 'rejected':
      return {
        type: 'block',
        cause: 'review-rejected',
        reason: `the reviewer rejected it: ${firstIssueOf(verdict)}`,
      }
    default:
      return assertNever(verdict.type)
  }
}
