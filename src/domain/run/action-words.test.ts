import { expect, it } from 'vitest'
import { actionWords } from './action-words.ts'

it('names the agent that takes over', () => {
  expect(actionWords({ action: 'substitute', to: 'codex' })).toBe('gave it to codex')
  // A record of an older version.
  expect(actionWords({ action: 'substitute' })).toBe('gave it to another agent')
  expect(actionWords({ action: 'restart' })).toBe('started the agent again')
  expect(actionWords({ action: 'from a newer daemon' })).toBe('from a newer daemon')
})
