import { expect, it } from 'vitest'
import { agentsFlag } from './flag-parsers.ts'

it('reads one agent for every role, and others for single roles', () => {
  const given = ['codex', 'developer=claude', 'judge=rae'].reduce(
    (earlier, text) => agentsFlag(text, earlier),
    agentsFlag('tester=two'),
  )
  expect(given).toEqual({ agent: 'codex', agents: { tester: 'two', developer: 'claude', judge: 'rae' } })
})

it('refuses a second agent for every role, and a role without a name', () => {
  expect(() => agentsFlag('codex', { agent: 'claude', agents: {} })).toThrow('Only one agent')
  expect(() => agentsFlag('=codex')).toThrow('name=value')
})
