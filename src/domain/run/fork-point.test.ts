import { describe, expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import { failure, success } from '../result.ts'
import { findEntry, findResumeEntry } from './fork-point.ts'

const VISITS = [
  exampleVisit({ ordinal: 1, stage: 'implement' }),
  exampleVisit({ ordinal: 2, stage: 'review' }),
  exampleVisit({ ordinal: 3, stage: 'implement' }),
]
const failed = exampleVisit({ ordinal: 4, stage: 'review', state: { type: 'settled', outcome: 'failed' } })

describe('findEntry', () => {
  it('finds an entry by its number, or the latest one of a stage', () => {
    expect(findEntry(VISITS, '2')).toEqual(success(2))
    expect(findEntry(VISITS, 'implement')).toEqual(success(3))
  })

  it('names what there is instead', () => {
    expect(findEntry(VISITS, '4')).toEqual(failure('the run has no visit 4; its visits are 1 to 3'))
    const near = failure('the run has not been in a stage "reviw"; did you mean "review"?')
    expect(findEntry(VISITS, 'reviw')).toEqual(near)
    const far = failure('the run has not been in a stage "zz"; it has been in implement, review')
    expect(findEntry(VISITS, 'zz')).toEqual(far)
  })
})

describe('findResumeEntry', () => {
  it('finds the entry that was cancelled, or the first one if there is none', () => {
    const cancelled = { state: { type: 'cancelled', reason: 'stopped' } } as const
    expect(findResumeEntry(cancelled, VISITS)).toEqual(success(3))
    expect(findResumeEntry(cancelled, [])).toEqual(success(1))
  })

  it('finds the entry that failed', () => {
    const run = { state: { type: 'ended', end: 'partial' } } as const
    expect(findResumeEntry(run, [...VISITS, failed])).toEqual(success(4))
  })

  it('refuses what is complete, and what ended as the playbook says', () => {
    const complete = { state: { type: 'ended', end: 'done' } } as const
    expect(findResumeEntry(complete, [failed])).toEqual(failure('complete'))
    const decided = { state: { type: 'ended', end: 'partial' } } as const
    expect(findResumeEntry(decided, VISITS)).toEqual(failure('decided'))
  })
})
