import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readVerdict } from './read-verdict.ts'

const ISSUE = { severity: 'major', location: 'src/a.ts:3', issue: 'it is slow', suggestion: 'cache it' }

/** The problem with an answer about a task that has two success criteria. */
function problemWith(answer: unknown): string {
  const verdict = readVerdict(answer, 2)
  return verdict.ok ? 'none' : verdict.failure
}

describe("a reviewer's answer", () => {
  it('decides by its verdict, with issues and criteria', () => {
    const answer = {
      type: 'result',
      verdict: 'NEEDS_REVISION',
      summary: ' nearly ',
      issues: [ISSUE],
      criteria: [
        { criterion: 2, met: false, evidence: 'no test' },
        { criterion: 1, met: true, evidence: 'src/a.ts' },
      ],
    }
    expect(readVerdict(answer, 2)).toEqual({
      ok: true,
      value: {
        type: 'needs-revision',
        summary: 'nearly',
        issues: [ISSUE],
        criteria: [
          { number: 1, isMet: true, evidence: 'src/a.ts', by: 'reviewer' },
          { number: 2, isMet: false, evidence: 'no test', by: 'reviewer' },
        ],
      },
    })
  })

  it.each([
    ['APPROVED', 'approved'],
    ['approved', 'approved'],
    ['Rejected', 'rejected'],
    ['needs_revision', 'needs-revision'],
  ])('may write %s in upper or lower case', (verdict, type) => {
    expect(readVerdict({ verdict, issues: [ISSUE] }, 0)).toMatchObject({ ok: true, value: { type } })
  })

  it.each([
    undefined,
    null,
    'APPROVED',
    ['APPROVED'],
    {},
    { summary: 'APPROVED' },
    { text: 'The verdict is APPROVED.' },
    { verdict: 'APPROVED.' },
    { verdict: 'APPROVED with remarks' },
    { verdict: 'not APPROVED' },
    { verdict: 'LGTM' },
    { verdict: 'toString' },
    { verdict: true },
    { verdict: ['APPROVED'] },
  ])('decides nothing as %j, because only the typed field counts', (answer) => {
    expect(problemWith(answer)).toContain('verdict')
  })

  it('must say what to revise or why it rejects', () => {
    expect(problemWith({ verdict: 'NEEDS_REVISION', summary: 'no' })).toContain('at least one')
    expect(problemWith({ verdict: 'REJECTED', issues: [] })).toContain('at least one')
    expect(problemWith({ verdict: 'REJECTED', summary: 'the wrong file' })).toBe('none')
  })

  it('does not approve if it reports a criterion as not met', () => {
    const criteria = [{ criterion: 1, met: false, evidence: 'absent' }]
    expect(problemWith({ verdict: 'APPROVED', criteria })).toContain('criterion 1 is not met')
  })

  it.each([
    [{ issues: 'none' }, '`issues` must be a list'],
    [{ issues: [ISSUE, { severity: 'major' }] }, '`issue` of entry 2 of `issues` is missing'],
    [{ issues: [3] }, 'entry 1 of `issues`'],
    [{ criteria: { 1: true } }, '`criteria` must be a list'],
    [{ criteria: ['all of them'] }, 'entry 1 of `criteria`'],
    [{ criteria: [{ criterion: 3, met: false }] }, 'there are 2'],
    [{ criteria: [{ criterion: 'one', met: true }] }, '`criterion` of entry 1 of `criteria`'],
    [{ criteria: [{ criterion: 1, met: 'yes' }] }, '`met` of entry 1 of `criteria`'],
    [{ criteria: [{ criterion: 1, met: true }, { criterion: 2 }] }, '`met` of entry 2 of `criteria`'],
    [
      {
        criteria: [
          { criterion: 1, met: true },
          { criterion: 1, met: true },
        ],
      },
      'more than once',
    ],
  ])('gets the reason when %j is wrong', (fields, words) => {
    expect(problemWith({ verdict: 'APPROVED', ...fields })).toContain(words)
  })

  it('keeps everything that fits its schema', () => {
    const text = 'x'.repeat(2_000)
    const place = 'y'.repeat(500)
    const issue = { severity: place, location: place, issue: text, suggestion: text }
    const issues = Array.from({ length: 50 }, () => issue)
    const criteria = Array.from({ length: 200 }, (_, index) => ({ criterion: index + 1, met: index < 199 }))
    const read = readVerdict({ verdict: 'NEEDS_REVISION', summary: text, issues, criteria }, 200)
    expect(read).toMatchObject({ ok: true, value: { summary: text, issues } })
    expect(problemWith({ verdict: 'APPROVED', criteria })).toContain('there are 2')
    expect(readVerdict({ verdict: 'APPROVED', criteria }, 200)).toMatchObject({ ok: false })
  })

  it('is bounded, however long it is', () => {
    const long = 'x'.repeat(1_000_000)
    const issues = Array.from({ length: 1_000 }, () => ({ ...ISSUE, issue: long, suggestion: long }))
    const verdict = readVerdict({ verdict: 'REJECTED', summary: long, issues }, 2)
    expect(JSON.stringify(verdict).length).toBeLessThan(250_000)
  })

  it('may name an issue in one sentence, and write a number as text', () => {
    const answer = {
      verdict: 'NEEDS_REVISION',
      issues: ['too slow'],
      criteria: [{ criterion: '2', met: false }],
    }
    expect(readVerdict(answer, 2)).toMatchObject({
      ok: true,
      value: { issues: [{ issue: 'too slow', location: '' }], criteria: [{ number: 2, isMet: false }] },
    })
  })

  it('may leave out everything but the verdict, and is used even if what decides nothing is wrong', () => {
    const answer = { verdict: 'APPROVED', summary: 7, issues: null, checksDone: { tests: true } }
    expect(readVerdict(answer, 2)).toEqual({
      ok: true,
      value: { type: 'approved', summary: '', issues: [], criteria: [] },
    })
  })

  it('never throws and never approves by accident', () => {
    fc.assert(
      fc.property(fc.anything(), (answer) => {
        const verdict = readVerdict(answer, 2)
        expect(verdict.ok && verdict.value.type === 'approved').toBe(false)
      }),
    )
  })

  it('may include unknown criteria, which are ignored', () => {
    const criteria = [{ criterion: 7, met: true, evidence: 'looked there too' }]
    expect(readVerdict({ verdict: 'APPROVED', criteria }, 0)).toMatchObject({
      ok: true,
      value: { criteria: [] },
    })
  })
})
