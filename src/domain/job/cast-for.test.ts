import { expect, it } from 'vitest'
import type { AgentSpec } from '../agent/agent-spec.ts'
import type { PlaybookRole } from '../playbook/playbook.ts'
import { castFor } from './cast-for.ts'

const agent = (name: string, provider: string, fields: Partial<AgentSpec> = {}): AgentSpec => ({
  ...{ name, provider, roles: ['worker'], env: [] },
  ...fields,
})
const AGENTS = [
  agent('ada', 'claude-code', { fallback: ['cleo'] }),
  agent('bo', 'codex'),
  agent('cleo', 'opencode'),
  agent('critic', 'claude-code', { roles: ['reviewer'] }),
]
const role = (fields: Pick<PlaybookRole, 'mode' | 'agents'> & Partial<PlaybookRole>): PlaybookRole => ({
  ...{ prompt: 'builtin/developer', keepsSession: false, isSpread: false },
  ...fields,
})
const ROLES = {
  developer: role({ mode: 'write', agents: ['developer', 'worker'] }),
  reviewer: role({ mode: 'read', agents: ['reviewer'], unlike: 'developer' }),
}

function names(plan: Partial<Parameters<typeof castFor>[0]>, worker?: string) {
  const cast = castFor({ agents: AGENTS, worker: 'ada', ...plan }, worker)({ roles: ROLES })
  if (!cast.ok) throw new Error(JSON.stringify(cast.failure))
  return Object.fromEntries(
    Object.entries(cast.value).map(([name, members]) => [name, members.map((member) => member.agent)]),
  )
}

it("gives the work to the job's worker, and after it to its fallback", () => {
  expect(names({})['developer']).toEqual(['ada', 'cleo'])
})

it('prefers the agent that may start now among those that do the tasks', () => {
  expect(names({ workers: ['ada', 'bo'] }, 'bo')['developer']).toEqual(['bo', 'ada'])
})

it("gives the review to the job's reviewer, even if it is of the worker's model family", () => {
  expect(names({ reviewer: 'critic' })['reviewer']).toEqual(['critic'])
})
