import { expect, it } from 'vitest'
import { describeConflictingVerdicts } from './conflicting-verdicts.ts'

it('names the different verdicts of an answer', () => {
  const text = '{"type":"result","verdict":"REJECTED"}\n{ "verdict" : "approved" }\n'
  expect(describeConflictingVerdicts(text)).toBe(
    'the output contains different verdicts (APPROVED, REJECTED), so none of them counts; print exactly one, as the last thing',
  )
  expect(describeConflictingVerdicts(`{"verdict":"APPROVED"}\n${'{"verdict":"APPROVED"}'}`)).toBeUndefined()
  expect(describeConflictingVerdicts('approved or rejected')).toBeUndefined()
})
