import { expect, test } from 'vitest'
import { describeReference, readReference } from './reference.ts'

test.each([
  ['goal', { of: 'goal', isOptional: false }],
  ['inputs.n', { of: 'inputs', field: 'n', isOptional: false }],
  ['design?', { of: 'design', isOptional: true }],
  ['code_review.issues?', { of: 'code_review', field: 'issues', isOptional: true }],
])('reads %s and writes it back', (text, reference) => {
  expect(readReference(text)).toEqual(reference)
  expect(describeReference(reference)).toBe(text)
})

test.each([
  '',
  '?',
  '.issues',
  'review.',
  'review.a.b',
  'Review',
  'review issues',
  '__proto__',
  'a?.b',
  'a\n',
])('refuses %j', (text) => {
  expect(readReference(text)).toBeUndefined()
})
