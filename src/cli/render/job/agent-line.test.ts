import { expect, it } from 'vitest'
import { agentLine } from './agent-line.ts'

const asIs = (text: string) => text
const withoutLogin = (agent: string, title: string) => ({ agent, reason: `${title} is not logged in` })
const claude = withoutLogin('claude', 'Claude Code')
const opencode = { worker: 'opencode', planner: 'opencode' }

it('names the worker, and the planner and the reviewer if they are others', () => {
  expect(agentLine(opencode, asIs)).toBe('agent: opencode')
  expect(agentLine({ worker: 'opencode' }, asIs)).toBe('agent: opencode')
  expect(agentLine({ ...opencode, reviewer: 'opencode' }, asIs)).toBe('agent: opencode')
  expect(agentLine({ worker: 'ada', planner: 'pia', reviewer: 'rae' }, asIs)).toBe(
    'agent: ada; planner: pia; reviewer: rae',
  )
  expect(agentLine({ worker: 'ada', workers: ['ada', 'bo'], planner: 'ada' }, asIs)).toBe('agents: ada, bo')
})

it('says why agents were passed over', () => {
  expect(agentLine({ ...opencode, passedOver: [claude] }, asIs)).toBe(
    'using opencode: Claude Code is not logged in (muster doctor)',
  )
  const tooOld = { agent: 'gemini', reason: 'Gemini 0.1 is too old' }
  const passedOver = [claude, tooOld, withoutLogin('codex', 'Codex')]
  expect(agentLine({ ...opencode, planner: 'pia', passedOver }, asIs)).toBe(
    'using opencode (planner: pia): Claude Code and Codex are not logged in; Gemini 0.1 is too old (muster doctor)',
  )
  expect(agentLine({ ...opencode, reviewer: 'opencode', passedOver: [claude] }, asIs)).toBe(
    'using opencode, also as the reviewer: Claude Code is not logged in (muster doctor)',
  )
})

it('names who takes the roles of a playbook, with what to know about that', () => {
  const cast = { developer: ['ada', 'bo'], reviewer: ['codex'] }
  const playbook = { name: 'reviewed', hash: '', inputs: {}, cast }
  expect(agentLine({ worker: 'ada', playbook }, asIs)).toBe('reviewed: developer ada, reviewer codex')
  const passedOver = [{ agent: 'claude', reason: 'Claude Code is not logged in' }]
  expect(agentLine({ worker: 'ada', playbook, passedOver }, asIs)).toBe(
    'reviewed: developer ada, reviewer codex; not used: Claude Code is not logged in (muster doctor)',
  )
  const notes = ['no configured agent can take the role reviewer, so codex takes it']
  expect(agentLine({ worker: 'ada', playbook: { ...playbook, notes } }, asIs)).toBe(
    `reviewed: developer ada, reviewer codex; ${notes[0]}`,
  )
})
