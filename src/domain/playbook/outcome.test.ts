import { expect, it } from 'vitest'
import { isGood, isInVain, isRefusal, isSetback, isWithoutResult } from './outcome.ts'

const JUDGES = { isGood, isSetback, isInVain, isWithoutResult, isRefusal }
const judged = (outcome: string) =>
  Object.entries(JUDGES).flatMap(([name, judge]) => (judge(outcome) ? [name] : []))

it.each([
  ['APPROVED', ['isGood']],
  ['NEEDS_REVISION', ['isSetback']],
  ['denied', ['isSetback', 'isRefusal']],
  ['expired', ['isSetback', 'isWithoutResult', 'isRefusal']],
  ['failed', ['isSetback', 'isInVain', 'isWithoutResult']],
  ['skipped', ['isInVain', 'isWithoutResult']],
  ['0', []],
  ['constructor', []],
])('judges %s', (outcome, names) => {
  expect(judged(outcome)).toEqual(names)
})
