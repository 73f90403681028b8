import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OUTPUT_SCHEMAS } from '../playbook/output-format.ts'
import { failure, success } from '../result.ts'
import { type OutputFacts, readOutput } from './read-output.ts'

const FACTS: OutputFacts = { candidates: 3, criteria: 2, checkOwn: success }
const FORMATS = Object.keys(OUTPUT_SCHEMAS)

function read(format: string, answer: unknown, facts: Partial<OutputFacts> = {}) {
  return readOutput({ output: { type: 'shipped', format } }, answer, { ...FACTS, ...facts })
}

function problemWith(format: string, answer: unknown): string {
  const result = read(format, answer)
  return result.ok ? 'none' : result.failure
}

const FINDING = { claim: 'It leaks.', confidence: 'high', sources: ['src/a.ts:3'] }
const ISSUE = { severity: 'major', location: 'src/a.ts:3', issue: 'It leaks.', suggestion: 'Close it.' }

describe('the answer of a visit', () => {
  it('is done if it has everything that its format requires', () => {
    expect(read('criteria', { criteria: [' It is fast. '], needsDesign: false })).toEqual({
      ok: true,
      value: {
        outcome: 'done',
        answer: { criteria: ['It is fast.'], risks: [], needsDesign: false },
      },
    })
  })

  it.each([
    ['criteria', undefined, 'there is no answer: end with the JSON object that is described below'],
    ['criteria', 'It is fast.', 'the answer must be a JSON object, but it is a text'],
    ['criteria', { criteria: ['It is fast.'] }, '`needsDesign` is missing'],
    ['criteria', { criteria: [], needsDesign: true }, '`criteria` is empty'],
    [
      'criteria',
      { criteria: ['a', 7], needsDesign: true },
      'entry 2 of `criteria` must be a text, but it is a number',
    ],
    [
      'criteria',
      { criteria: ['a'], needsDesign: 'yes' },
      '`needsDesign` must be true or false, but it is a text',
    ],
    ['design', { approach: ' ' }, '`approach` is empty'],
    ['questions', { questions: { one: 'Why?' } }, '`questions` must be a list, but it is an object'],
    [
      'findings',
      { summary: 'Leaks.', confidence: 'high', findings: [FINDING, { ...FINDING, sources: undefined }] },
      '`sources` of entry 2 of `findings` is missing',
    ],
    [
      'findings',
      { summary: 'Leaks.', confidence: 'certain', findings: [] },
      '`confidence` must be one of: high, medium, low',
    ],
    ['document', { title: 'Leaks' }, '`text` is missing'],
  ])('as %s gets one sentence about what is wrong: %j', (format, answer, problem) => {
    expect(problemWith(format, answer)).toBe(problem)
  })

  it('is not asked for again because of a field that it may leave out', () => {
    const answer = {
      approach: 'Cache it.',
      files: 'src/a.ts',
      risks: ['It goes stale.', { likelihood: 'high' }, 7],
      alternatives: { name: 'none' },
      phases: 3,
      unknown: 'dropped',
    }
    expect(read('design', answer)).toMatchObject({
      ok: true,
      value: {
        answer: {
          approach: 'Cache it.',
          files: ['src/a.ts'],
          risks: [{ risk: 'It goes stale.', likelihood: '', impact: '', mitigation: '' }],
          alternatives: [{ name: 'none', pros: [], cons: [] }],
          phases: [],
        },
      },
    })
  })

  it('may have no findings', () => {
    expect(problemWith('findings', { summary: 'I looked.', confidence: 'high', findings: [] })).toBe('none')
  })

  it('is cut to what is usable later', () => {
    const long = `x${'😀'.repeat(100_000)}`
    const many = Array.from({ length: 1_000 }, () => long)
    const result = read('criteria', { criteria: many, risks: many, needsDesign: true })
    expect(result.ok).toBe(true)
    expect(JSON.stringify(result).length).toBeLessThan(250_000)
    expect(JSON.stringify(result)).not.toMatch(/\\ud83d"/)
  })

  it.each(FORMATS)('as %s never throws', (format) => {
    fc.assert(
      fc.property(fc.anything(), (answer) => void read(format, answer)),
      { numRuns: 200 },
    )
  })
})

describe('the answer about a change', () => {
  it('is optional, because the commit counts', () => {
    const nothing = read('change', undefined)
    expect(nothing).toMatchObject({ ok: true, value: { outcome: 'done', answer: { files: [] } } })
    expect(read('change', 'I did it.')).toMatchObject({ value: { answer: { summary: 'I did it.' } } })
  })

  it('keeps what is usable in it', () => {
    const answer = {
      summary: 'Fixed it.',
      testsAdded: ['leaks'],
      issuesDisputed: 'The name is right.',
      files: 3,
    }
    expect(read('change', answer)).toMatchObject({
      value: {
        answer: {
          summary: 'Fixed it.',
          testsAdded: ['leaks'],
          issuesDisputed: ['The name is right.'],
          files: [],
        },
      },
    })
  })
})

describe('the answer of a reviewer', () => {
  it.each([
    ['APPROVED', 'APPROVED'],
    ['needs_revision', 'NEEDS_REVISION'],
    ['Rejected', 'REJECTED'],
  ])('has its verdict as its outcome: %s', (verdict, outcome) => {
    expect(read('review', { verdict, issues: [ISSUE], positive: ['Its tests.'] })).toMatchObject({
      ok: true,
      value: { outcome, answer: { verdict: outcome, issues: [ISSUE], positive: ['Its tests.'] } },
    })
  })

  it('judges the criteria by number', () => {
    const criteria = [{ criterion: 2, met: true, evidence: 'src/a.ts' }]
    expect(read('review', { verdict: 'APPROVED', criteria })).toMatchObject({
      value: { answer: { criteria } },
    })
    expect(
      problemWith('review', { verdict: 'APPROVED', criteria: [{ criterion: 1, met: false }] }),
    ).toContain('criterion 1 is not met')
  })

  it('decides nothing without a verdict, or with one that contradicts the rest', () => {
    expect(problemWith('review', { summary: 'APPROVED' })).toBe('`verdict` is missing')
    expect(problemWith('review', { verdict: 'NEEDS_REVISION' })).toContain('at least one entry in `issues`')
    expect(problemWith('review', { verdict: 'APPROVED', issues: 'none' })).toBe('`issues` must be a list')
  })
})

describe('the answer of a judge', () => {
  it.each([1, 3, '2'])('names a candidate by its number: %j', (choice) => {
    expect(read('choice', { choice, reason: 'It is correct.' })).toEqual({
      ok: true,
      value: { outcome: 'done', answer: { choice: Number(choice), reason: 'It is correct.' } },
    })
  })

  it('fails the stage if it takes none of them', () => {
    expect(read('choice', { choice: 0, reason: 'All of them leak.' })).toMatchObject({
      value: { outcome: 'failed', answer: { reason: 'All of them leak.' } },
    })
  })

  it.each([
    [{ choice: 4, reason: 'x' }, '`choice` is 4, but the candidates have the numbers 1 to 3'],
    [{ choice: -1, reason: 'x' }, '`choice` must be a whole number from 0 on'],
    [{ choice: 'the first', reason: 'x' }, '`choice` must be a whole number from 0 on'],
    [{ choice: 1 }, '`reason` is missing'],
  ])('is asked for again as %j', (answer, problem) => {
    expect(problemWith('choice', answer)).toBe(problem)
  })
})

describe("an answer in a playbook's own format", () => {
  const output = { type: 'schema', file: './mine.json' } as const

  it('is what the check of its schema makes of it', () => {
    const checkOwn = (answer: object) => success({ ...answer, port: 80 })
    expect(readOutput({ output }, { host: 'a' }, { ...FACTS, checkOwn })).toEqual({
      ok: true,
      value: { outcome: 'done', answer: { host: 'a', port: 80 } },
    })
  })

  it('is asked for again with what the check found', () => {
    const checkOwn = () => failure('`host` is missing')
    expect(readOutput({ output }, {}, { ...FACTS, checkOwn })).toEqual({
      ok: false,
      failure: '`host` is missing',
    })
    expect(readOutput({ output }, 'text', FACTS)).toMatchObject({ ok: false })
    expect(readOutput({ output }, undefined, FACTS)).toMatchObject({ ok: false })
  })
})
