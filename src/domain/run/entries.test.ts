import { expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { entriesOf, lastEntry, newestOrdinal, routedEntries } from './entries.ts'

const end = (word: string) => ({ type: 'always', to: { type: 'end', end: word } })
const PLAYBOOK = {
  stages: {
    check: {
      type: 'checks',
      on: {
        pass: end('land'),
        fail: {
          type: 'limited',
          to: { type: 'stage', stage: 'check' },
          max: 1,
          beyond: { type: 'end', end: 'partial' },
        },
      },
    },
  },
} as unknown as Playbook

const visit = (ordinal: number, fields: Parameters<typeof exampleVisit>[0] = {}) =>
  exampleVisit({ ordinal, stage: 'check', state: { type: 'settled', outcome: 'fail' }, ...fields })

it('groups visits by entry, in the order of their numbers', () => {
  const visits = [visit(2, { branch: 1 }), visit(1), visit(2, { branch: 2 })]
  expect(entriesOf(visits)).toEqual([[visits[1]], [visits[0], visits[2]]])
  expect(lastEntry(visits)).toEqual([visits[0], visits[2]])
  expect(newestOrdinal(visits)).toBe(2)
})

it('has no last entry before a run has begun', () => {
  expect([entriesOf([]), lastEntry([]), newestOrdinal([])]).toEqual([[], [], 0])
})

it('routes every entry again, with the counters of the entries before it', () => {
  const visits = [visit(1), visit(2), visit(3, { state: { type: 'waiting' } }), visit(4, { stage: 'gone' })]
  const entries = routedEntries(PLAYBOOK, visits)
  expect(entries.map(({ routed }) => routed)).toEqual([
    { to: { type: 'stage', stage: 'check' }, counters: { 'check.fail': 1 } },
    { to: { type: 'end', end: 'partial' }, counters: { 'check.fail': 1 }, exhausted: 'check.fail' },
    undefined,
  ])
})
