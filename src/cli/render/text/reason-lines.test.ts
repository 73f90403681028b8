import { expect, it } from 'vitest'
import { reasonLines } from './reason-lines.ts'

const TAP = `check "node --test" exited with code 1:
TAP version 13
# Subtest: 65 seconds are 1:05
not ok 1 - 65 seconds are 1:05
  error: |-
    Expected values to be strictly equal:
  expected: '1:05'
  actual: '1:50'
`

it('returns the reason and the three most useful lines', () => {
  expect(reasonLines(TAP, 100)).toEqual([
    'check "node --test" exited with code 1',
    '  not ok 1 - 65 seconds are 1:05',
    '  Expected values to be strictly equal:',
    "  expected: '1:05'",
  ])
})

it('returns the first lines if none stands out', () => {
  expect(reasonLines('check "x" exited with code 2:\n> x\n\none\ntwo\nthree\nfour', 100)).toEqual([
    'check "x" exited with code 2',
    '  one',
    '  two',
    '  three',
  ])
})

it('returns only the reason if there is no output, without escape sequences', () => {
  const introducer = String.fromCharCode(27)
  expect(reasonLines(`${introducer}[31mconflicts${introducer}[0m in a.mjs`, 100)).toEqual([
    'conflicts in a.mjs',
  ])
})
