import { describe, expect, it } from 'vitest'
import { mergedCriteria } from '../task/criterion-result.ts'
import { describeIssues, firstIssueOf } from './describe-issues.ts'

const ISSUE = { severity: 'major', location: 'a.ts:3', issue: 'it is slow', suggestion: 'cache it' }

describe('a verdict', () => {
  it('is described by its issues, one after the other', () => {
    const other = { severity: '', location: '', issue: 'no test', suggestion: '' }
    expect(describeIssues({ summary: 'seen', issues: [ISSUE, other] })).toBe(
      'seen\n1. [major] a.ts:3: it is slow\n   Suggestion: cache it\n2. no test',
    )
    expect(firstIssueOf({ summary: '', issues: [{ ...other, issue: 'one\ntwo' }] })).toBe('one')
  })

  it("uses the reviewer's results for criteria, and the worker's where the reviewer has none", () => {
    const claimed = [1, 2].map(
      (number) => ({ number, isMet: true, evidence: 'I did it', by: 'worker' }) as const,
    )
    const reviewed = [{ number: 2, isMet: false, evidence: 'not there', by: 'reviewer' } as const]
    expect(mergedCriteria(claimed, reviewed)).toEqual([claimed[0], reviewed[0]])
  })
})
