import { expect, it } from 'vitest'
import { describeDroppedOutput } from './describe-dropped-output.ts'

it.each([
  [1, false, '1 byte of output was lost'],
  [82, false, '82 bytes of output were lost'],
  [82, true, 'at least 82 bytes of output were lost'],
  [0, true, 'some output was lost'],
])('describes %i lost bytes (perhaps more: %s) as "%s"', (bytes, mayBeMore, expected) => {
  expect(describeDroppedOutput(bytes, mayBeMore)).toBe(expected)
})
