import { describe, expect, it } from 'vitest'
import { mergedCriteria } from '../task/criterion-result.ts'
import { describeIssues, firstIssueOf } from './describe-issues.ts'
import { judgeReview } from './judge-review.ts'
import type { Verdict } from './verdict.ts'

const ISSUE = { severity: 'major', location: 'a.ts:3', issue: 'it is slow', suggestion: 'cache it' }

function verdict(type: Verdict['type'], overrides: Partial<Verdict> = {}): Verdict {
  return { type, summary: 'seen', issues: [ISSUE], criteria: [], ...overrides }
}

describe('a verdict', () => {
  it('lets approved work land in any round', () => {
    expect(judgeReview(verdict('approved'), { rounds: 3 })).toEqual({ type: 'land' })
  })

  it('sends work back three times, and then leaves it to a person', () => {
    for (const rounds of [0, 1, 2]) {
      expect(judgeReview(verdict('needs-revision'), { rounds })).toEqual({ type: 'revise' })
    }
    expect(judgeReview(verdict('needs-revision'), { rounds: 3 })).toEqual({
      type: 'block',
      cause: 'review-rounds-used',
      reason: 'the reviewer still wants changes after 3 rounds: a.ts:3: it is slow',
    })
  })

  it('leaves rejected work to a person at once, with the first issue', () => {
    expect(judgeReview(verdict('rejected'), { rounds: 0 })).toMatchObject({
      type: 'block',
      cause: 'review-rejected',
      reason: 'the reviewer rejected it: a.ts:3: it is slow',
    })
    const without = judgeReview(verdict('rejected', { issues: [] }), { rounds: 0 })
    expect(without).toMatchObject({ reason: 'the reviewer rejected it: seen' })
  })

  it('is described by its issues, one after the other', () => {
    const other = { severity: '', location: '', issue: 'no test', suggestion: '' }
    expect(describeIssues(verdict('needs-revision', { issues: [ISSUE, other] }))).toBe(
      'seen\n1. [major] a.ts:3: it is slow\n   Suggestion: cache it\n2. no test',
    )
    expect(firstIssueOf(verdict('needs-revision', { issues: [{ ...other, issue: 'one\ntwo' }] }))).toBe('one')
  })

  it("uses the reviewer's results for criteria, and the worker's where the reviewer has none", () => {
    const claimed = [1, 2].map(
      (number) => ({ number, isMet: true, evidence: 'I did it', by: 'worker' }) as const,
    )
    const reviewed = [{ number: 2, isMet: false, evidence: 'not there', by: 'reviewer' } as const]
    expect(mergedCriteria(claimed, reviewed)).toEqual([claimed[0], reviewed[0]])
  })
})
