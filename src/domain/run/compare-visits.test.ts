import { expect, it } from 'vitest'
import { compareVisits } from './compare-visits.ts'
import type { Visit } from './visit.ts'

const visit = (id: string, stage: string, outcome: string, rest: object = {}) =>
  ({
    ...{ id, stage, round: 1, branch: 0, ordinal: 1, tries: 1, inputs: [] },
    state: { type: 'settled', outcome },
    ...rest,
  }) as unknown as Visit

const rows = (a: readonly Visit[], b: readonly Visit[]) =>
  compareVisits(a, b).map(({ relation, a: one, b: other }) => `${relation} ${(one ?? other)?.stage}`)

it('knows what a fork took, and where it went another way', () => {
  const origin = [
    visit('1', 'implement', 'done'),
    visit('2', 'review', 'APPROVED'),
    visit('3', 'polish', 'done'),
  ]
  const fork = [
    visit('4', 'implement', 'done', { taken: { visitId: '1' } }),
    visit('5', 'review', 'NEEDS_REVISION'),
    visit('6', 'revise', 'done'),
    visit('7', 'polish', 'done'),
  ]
  const expected = ['shared implement', 'different review', 'only-b revise', 'alike polish']
  expect(rows(origin, fork)).toEqual(expected)
  const mirrored = expected.map((row) => row.replace('only-b', 'only-a'))
  expect(rows(fork, origin)).toEqual(mirrored)
  const sibling = [visit('8', 'implement', 'done', { taken: { visitId: '1' } })]
  expect(rows(fork, sibling)[0]).toBe('shared implement')
})

it('pairs rounds and branches, and lists every visit once even if the orders differ', () => {
  const a = [visit('1', 'try', 'done', { branch: 1 }), visit('2', 'try', 'failed', { branch: 2 })]
  const b = [visit('3', 'try', 'done', { branch: 2 }), visit('4', 'try', 'done', { branch: 1 })]
  const pairs = compareVisits(a, b)
  const listed = pairs.flatMap(({ a: one, b: other }) => [one?.id, other?.id]).filter(Boolean)
  expect(listed.sort()).toEqual(['1', '2', '3', '4'])
  expect(rows(a, [])).toEqual(['only-a try', 'only-a try'])
})
