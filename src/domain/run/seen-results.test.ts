import { describe, expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import type { VisitId } from '../id.ts'
import { seenResults } from './seen-results.ts'
import type { Visit } from './visit.ts'

function visit(ordinal: number, stage: string, answer: object, more: Partial<Visit> = {}): Visit {
  return exampleVisit({ ordinal, stage, answer, ...more })
}

const OPTIONS = [1, 2, 3].map((branch) => visit(1, 'options', { approach: `Way ${branch}` }, { branch }))
const SHUFFLED = [3, 1, 2].flatMap((branch) => OPTIONS.filter((option) => option.branch === branch))

function idsOf(visits: readonly Visit[]): readonly VisitId[] {
  return visits.map(({ id }) => id)
}

describe('what a visit is shown of a stage', () => {
  it('is the answer, or a field of it', () => {
    const review = visit(1, 'review', { verdict: 'APPROVED', issues: [] })
    const reader = { inputs: [review.id] }
    expect(seenResults([review], reader, { of: 'review' })).toEqual([{ visit: review, value: review.answer }])
    expect(seenResults([review], reader, { of: 'review', field: 'verdict' })).toEqual([
      { visit: review, value: 'APPROVED' },
    ])
    expect(seenResults([review], reader, { of: 'other' })).toEqual([])
  })

  it('comes only from the inputs that were stored with it', () => {
    const [first] = OPTIONS
    const newer = visit(2, 'options', { approach: 'Another way' })
    const seen = seenResults([...OPTIONS, newer], { inputs: idsOf(OPTIONS).slice(0, 1) }, { of: 'options' })
    expect(seen).toEqual([{ visit: first, value: { approach: 'Way 1' } }])
  })

  it('has a number if there are several', () => {
    const seen = seenResults(OPTIONS, { inputs: idsOf(OPTIONS) }, { of: 'options', field: 'approach' })
    expect(seen.map(({ value, place }) => [value, place])).toEqual([
      ['Way 1', { number: 1, of: 3 }],
      ['Way 2', { number: 2, of: 3 }],
      ['Way 3', { number: 3, of: 3 }],
    ])
  })

  it('has the numbers that the judge saw, if its choice is shown as well', () => {
    const choice = visit(
      2,
      'decision',
      { choice: 1, reason: '1 is simpler than 2.' },
      { inputs: idsOf(SHUFFLED) },
    )
    const reader = { inputs: idsOf([...OPTIONS, choice]) }
    const seen = seenResults([...OPTIONS, choice], reader, { of: 'options', field: 'approach' })
    expect(seen.map(({ value, place }) => [value, place])).toEqual([
      ['Way 3', { number: 1, of: 3, isChosen: true }],
      ['Way 1', { number: 2, of: 3 }],
      ['Way 2', { number: 3, of: 3 }],
    ])
  })

  it('is the whole result of a check if the reference names those that passed', () => {
    const state = { type: 'settled', outcome: 'pass' } as const
    const check = visit(2, 'verify', { passed: 2, output: 'ok', changedLines: 3 }, { branch: 1, state })
    const seen = seenResults([check], { inputs: [check.id] }, { of: 'verify', field: 'passed' })
    expect(seen).toEqual([{ visit: check, value: check.answer }])
  })
})
