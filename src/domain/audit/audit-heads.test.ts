import { expect, it } from 'vitest'
import { compareHeads } from './audit-heads.ts'

const head = { seq: 5, hash: 'five' }

it.each([
  ['nothing is remembered', [], []],
  ['the remembered row is the same', [{ seq: 3, hash: 'three' }], []],
  ['the head itself is remembered', [{ seq: 5, hash: 'five' }], []],
  ['an empty chain is remembered', [{ seq: 0, hash: '0' }], []],
])('finds no break if %s', (_case, remembered, breaks) => {
  const hashes = new Map([
    [3, 'three'],
    [5, 'five'],
  ])
  expect(compareHeads(head, remembered, hashes)).toEqual(breaks)
})

it('finds a chain that ends before a remembered row', () => {
  const remembered = [
    { seq: 7, hash: 'seven' },
    { seq: 9, hash: 'nine' },
  ]
  expect(compareHeads(head, remembered, new Map())).toEqual([{ type: 'tail-cut', from: 6, to: 9 }])
})

it('finds a remembered row that was replaced or removed, once', () => {
  const remembered = [
    { seq: 3, hash: 'three' },
    { seq: 3, hash: 'three' },
    { seq: 4, hash: 'four' },
  ]
  expect(compareHeads(head, remembered, new Map([[3, 'other']]))).toEqual([
    { type: 'row-replaced', seq: 3 },
    { type: 'row-replaced', seq: 4 },
  ])
})
