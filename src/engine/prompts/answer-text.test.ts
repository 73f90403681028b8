import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerText } from './answer-text.ts'

describe('an answer in a prompt', () => {
  it('reads like notes, with its fields in the same order whatever order they were stored in', () => {
    const design = {
      files: ['src/a.ts'],
      risks: [{ impact: 'high', likelihood: '', mitigation: 'expire it', risk: 'It goes stale.' }],
      approach: 'Cache it.',
      assumptions: [],
      alternatives: [{ cons: ['slower'], name: 'An index', pros: ['simple', 'known'] }],
      openQuestions: ['How long\nmay it be stale?'],
    }
    const expected = `Approach: Cache it.
Files:
1. src/a.ts
Risks:
1. It goes stale.
   Impact: high
   Mitigation: expire it
Alternatives:
1. An index
   Pros:
   1. simple
   2. known
   Cons:
   1. slower
Open questions:
1. How long
   may it be stale?`
    expect(answerText(design)).toBe(expected)
    expect(answerText(Object.fromEntries(Object.entries(design).reverse()))).toBe(expected)
  })

  it('shows issues as every other prompt does', () => {
    const issues = [
      { severity: 'major', location: 'src/a.ts:3', issue: 'It leaks.', suggestion: 'Close it.' },
      { severity: '', location: '', issue: 'No test.', suggestion: '' },
    ]
    expect(answerText(issues)).toBe('1. [major] src/a.ts:3: It leaks.\n   Suggestion: Close it.\n2. No test.')
  })

  it('keeps the numbers of the criteria that a review judged', () => {
    const criteria = [
      { met: true, evidence: 'src/a.ts', criterion: 2 },
      { met: false, evidence: '', criterion: 5 },
    ]
    expect(answerText({ criteria, verdict: 'NEEDS_REVISION' })).toBe(
      'Verdict: NEEDS_REVISION\nCriteria:\nCriterion 2 is met: src/a.ts\nCriterion 5 is not met',
    )
  })

  it('shows a document as it is', () => {
    expect(answerText({ text: 'It leaks.\n\n## Why', title: 'Leaks' })).toBe('# Leaks\n\nIt leaks.\n\n## Why')
  })

  it.each([
    ['one text', 'one text'],
    [['first', 'second'], '1. first\n2. second'],
    [{ isReady: true, port: 80, hostName: 'a' }, 'Host name: a\nIs ready: yes\nPort: 80'],
    [[{ port: 80, host: 'a' }], '1. Host: a\n   Port: 80'],
    [undefined, ''],
    [[], ''],
  ])('shows %j readably', (answer, text) => {
    expect(answerText(answer)).toBe(text)
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.jsonValue(), (answer) => void answerText(answer)))
  })
})
