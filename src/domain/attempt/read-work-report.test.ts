import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendedLearnings } from '../cycle/learnings.ts'
import { readWorkReport } from './read-work-report.ts'

describe("a worker's answer", () => {
  it('reports what was done, which criteria are met and what was learnt', () => {
    const answer = {
      summary: ' cached ',
      criteria: [
        { criterion: 2, evidence: 'b.test.ts' },
        { criterion: 1, evidence: ' a.ts ' },
      ],
      learnings: ['the tests\n need a database', ''],
    }
    expect(readWorkReport(answer, 2)).toEqual({
      summary: 'cached',
      criteria: [
        { number: 1, isMet: true, evidence: 'a.ts', by: 'worker' },
        { number: 2, isMet: true, evidence: 'b.test.ts', by: 'worker' },
      ],
      learnings: ['the tests need a database'],
    })
  })

  it('claims nothing for unknown criteria, or for those it reports as not met', () => {
    const criteria = [
      { criterion: 3 },
      { criterion: 0 },
      { criterion: 1.5 },
      'one',
      { criterion: 1, met: false },
    ]
    expect(readWorkReport({ criteria }, 2).criteria).toEqual([])
  })

  it('can be anything at all', () => {
    fc.assert(
      fc.property(fc.anything(), (answer) => {
        const report = readWorkReport(answer, 2)
        expect(report.criteria.length).toBeLessThanOrEqual(2)
      }),
    )
  })
})

describe('appended learnings', () => {
  it('are added line by line, each once', () => {
    expect(appendedLearnings(undefined, ['one'])).toBe('one')
    expect(appendedLearnings('one', ['one', 'two'])).toBe('one\ntwo')
    expect(appendedLearnings(undefined, [])).toBeUndefined()
  })

  it('never exceed four kilobytes', () => {
    const learnt = Array.from({ length: 100 }, (_, index) => `${index} ${'ä'.repeat(100)}`)
    const learnings = appendedLearnings('known', learnt) ?? ''
    expect(new TextEncoder().encode(learnings).length).toBeLessThanOrEqual(4_096)
    expect(learnings).toMatch(/^known\n0 /)
  })
})
