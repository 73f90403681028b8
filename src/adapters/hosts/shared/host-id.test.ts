import { expect, it } from 'vitest'
import { parseHostId } from './host-id.ts'

const SESSION = 'ses_0123456789abcdefghij'

it.each([SESSION, `${SESSION}.2`, `${SESSION}.17`])('accepts %s as a process of a session', (name) => {
  expect(parseHostId(name)).toBe(name)
})

it.each([
  '',
  '.alive',
  'job_0123456789abcdefghij',
  `${SESSION}.`,
  `${SESSION}.1`,
  `${SESSION}.02`,
  `${SESSION}.2.3`,
])('refuses %j', (name) => {
  expect(parseHostId(name)).toBeUndefined()
})
