import { expect, it } from 'vitest'
import { visitLabel } from './visit-label.ts'

it.each([
  [{ stage: 'review', round: 1, branch: 0 }, 'review'],
  [{ stage: 'review', round: 2, branch: 0 }, 'review (round 2)'],
  [{ stage: 'try', round: 1, branch: 2 }, 'try #2'],
  [{ stage: 'try', round: 3, branch: 2 }, 'try #2 (round 3)'],
])('tells rounds and branches apart: %o', (visit, label) => {
  expect(visitLabel(visit)).toBe(label)
})
