import { expect, it } from 'vitest'
import { failureKindOf } from './check-problem.ts'

it.each([
  [{ type: 'exited', code: 1 }, 'exited'],
  [{ type: 'signalled', signal: 9 }, 'signalled'],
  [{ type: 'timed-out', afterMs: 1 }, 'timed-out'],
  [{ type: 'unprepared', command: 'make', code: 2 }, 'setup'],
  [{ type: 'unstarted', reason: 'no space' }, undefined],
  [{ type: 'lost', reason: 'no exit status' }, undefined],
  [{ type: 'cancelled' }, undefined],
] as const)('a check that ends as %j fails as %s', (end, kind) => {
  expect(failureKindOf(end)).toBe(kind)
})
