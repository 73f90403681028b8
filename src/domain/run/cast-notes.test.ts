import { expect, it } from 'vitest'
import type { AgentSpec } from '../agent/agent-spec.ts'
import { USUAL_ROLES } from '../agent/built-in-roles.ts'
import type { PlaybookRole } from '../playbook/playbook.ts'
import { castNotes } from './cast-notes.ts'
import { type Company, chooseCast } from './choose-cast.ts'

const agent = (name: string, provider: string, fields: Partial<AgentSpec> = {}): AgentSpec => ({
  ...{ name, provider, roles: USUAL_ROLES, env: [] },
  ...fields,
})
const CLAUDE = agent('claude', 'claude-code')
const CODEX = agent('codex', 'codex')

const role = (fields: Pick<PlaybookRole, 'agents'> & Partial<PlaybookRole>): PlaybookRole => ({
  ...{ mode: 'read', prompt: 'builtin/reviewer', keepsSession: false, isSpread: false },
  ...fields,
})

function notes(company: Partial<Company>, reviewers = ['reviewer']): readonly string[] {
  const developer = role({ mode: 'write', agents: ['worker'] })
  const roles = { developer, reviewer: role({ agents: reviewers, unlike: 'developer' }) }
  const whole = { agents: [], roles: {}, ...company }
  const cast = chooseCast({ roles }, whole)
  if (!cast.ok) throw new Error(JSON.stringify(cast.failure))
  return castNotes({ roles }, cast.value, whole)
}

it('says which role a program takes because no configured agent can', () => {
  const unlisted = ['codex']
  const dev = agent('dev', 'claude-code')
  const standIn = 'no configured agent can take the role reviewer, so codex takes it'
  expect(notes({ agents: [dev, CODEX], unlisted })).toEqual([standIn])
  // Somebody asked for it.
  expect(notes({ agents: [dev, CODEX], unlisted }, ['codex'])).toEqual([])
  const roles = { reviewer: { agents: ['codex'] } }
  expect(notes({ agents: [dev, CODEX], unlisted, roles })).toEqual([])
  // Without configured agents, programs are the agents.
  expect(notes({ agents: [CLAUDE, CODEX], unlisted: ['claude', 'codex'] })).toEqual([])
})

it('says which roles judge alike although they should differ', () => {
  const words = (text: string) => [`reviewer and developer ${text}: they may miss the same mistakes`]
  const opus = agent('opus', 'claude-code', { roles: ['reviewer'] })
  expect(notes({ agents: [CLAUDE, opus] })).toEqual(words('are both Claude models'))
  expect(notes({ agents: [CODEX] })).toEqual(words('are both GPT models'))
  const mine = agent('mine', 'command')
  expect(notes({ agents: [mine] })).toEqual(words('are the same agent, mine'))
  const other = agent('other', 'command', { roles: ['reviewer'] })
  expect(notes({ agents: [mine, other] })).toEqual(words('may use the same model'))
  expect(notes({ agents: [CLAUDE, CODEX] })).toEqual([])
})
