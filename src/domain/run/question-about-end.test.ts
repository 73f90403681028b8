import { expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import { questionAboutEnd } from './question-about-end.ts'

const failed = { state: { type: 'settled', outcome: 'failed' } } as const

it('says whether nobody judged the work, or the judge wants none of it', () => {
  expect(questionAboutEnd('unverified', [exampleVisit(failed)])).toBe(
    'Land this work, which nobody has judged?',
  )
  const answer = { choice: 0, reason: 'both break the parser' }
  expect(questionAboutEnd('unverified', [exampleVisit({ ...failed, answer })])).toBe(
    'Land this work, although the judge chose none of the candidates?',
  )
  expect(questionAboutEnd('partial', [])).toBe('Land this partial work?')
})
