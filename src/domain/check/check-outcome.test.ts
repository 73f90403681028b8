import { expect, it } from 'vitest'
import { checkOutcome } from './check-outcome.ts'

it('calls a check flaky only if it passed after it had failed', () => {
  const text = 'exited with status 1'
  expect(checkOutcome({ checkIndex: 1, suspects: [1] }, undefined)).toMatchObject({ isFlaky: true })
  expect(checkOutcome({ checkIndex: 1, suspects: [0] }, undefined)).toEqual({ detail: 'passed' })
  expect(checkOutcome({ checkIndex: 1, suspects: [1] }, { kind: 'exited', text })).toEqual({ detail: text })
})
