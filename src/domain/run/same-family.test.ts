import { describe, expect, it } from 'vitest'
import { exampleVisit, ids } from '../../../test/support/example-records.ts'
import type { AgentSpec } from '../agent/agent-spec.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { Cast } from './cast.ts'
import { sameFamilyIn } from './same-family.ts'
import type { Visit } from './visit.ts'
import { workersOf } from './visit-workers.ts'

const agent = (name: string, provider: string): AgentSpec => ({ name, provider, roles: [], env: [] })
const CLAUDE = agent('claude', 'claude-code')
const CODEX = agent('codex', 'codex')
const AGENTS = [CLAUDE, CODEX]

const stage = (role: string, format: string) => ({
  type: 'role',
  role,
  output: { type: 'shipped', format },
  on: {},
})
const role = (fields: object = {}) => ({ mode: 'read', prompt: '', agents: [], ...fields })
const playbookOf = (format: string) =>
  ({
    roles: { developer: role(), judge: role({ unlike: 'developer' }) },
    stages: { work: stage('developer', 'change'), judge: stage('judge', format) },
  }) as unknown as Pick<Playbook, 'roles' | 'stages'>

type Done = { readonly visit: Visit; readonly by: AgentSpec; readonly from?: string }

let ordinal = 0

function done(stageName: string, by: AgentSpec, fields: Partial<Visit> = {}, from?: string): Done {
  ordinal += 1
  const state = { type: 'settled', outcome: stageName === 'judge' ? 'APPROVED' : 'done' } as const
  const attemptId = ids.next('attempt')
  const visit = exampleVisit({ ordinal, stage: stageName, state, attemptId, ...fields })
  return { visit, by, ...(from === undefined ? {} : { from }) }
}

function sameFamily(
  all: readonly Done[],
  { format = 'review', cast = {} }: { format?: string; cast?: Cast } = {},
) {
  const visits = all.map(({ visit }) => visit)
  const attempts = all.flatMap(({ visit, by, from }) => {
    const id = visit.attemptId ?? visit.taken?.attemptId
    const handoff = { fromAgent: from ?? '', from: ids.next('session'), to: by.name }
    const note = { ...handoff, summary: '', nextSteps: '', reason: '', at: '' }
    return id === undefined ? [] : [{ id, agent: by, handoffs: from === undefined ? [] : [note] }]
  })
  const workers = workersOf(visits, attempts, AGENTS)
  return sameFamilyIn({ playbook: playbookOf(format), cast, visits, workers }).map(({ role: name }) => name)
}

const SAME: Cast = { judge: [{ agent: 'claude', admittedAs: 'reviewer', sameFamily: true }] }

describe('a role that should be unlike another', () => {
  it('is compared by the agents that did the visits, not by the first choices', () => {
    expect(sameFamily([done('work', CLAUDE), done('judge', CODEX)], { cast: SAME })).toEqual([])
    expect(sameFamily([done('work', CODEX), done('judge', CODEX)])).toEqual(['judge'])
    expect(sameFamily([done('work', CLAUDE), done('work', CODEX), done('judge', CODEX)])).toEqual(['judge'])
  })

  it('is compared with an agent that handed over, and with one of the run that a visit was taken from', () => {
    expect(sameFamily([done('work', CODEX, {}, 'claude'), done('judge', CLAUDE)])).toEqual(['judge'])
    const { visit, by } = done('work', CODEX)
    const { attemptId, ...others } = visit
    const taken = { visitId: visit.id, ...(attemptId === undefined ? {} : { attemptId }) }
    expect(sameFamily([{ visit: { ...others, taken }, by }, done('judge', CODEX)])).toEqual(['judge'])
  })

  it('leaves out visits in vain', () => {
    const failed = { state: { type: 'settled', outcome: 'failed' } } as const
    expect(sameFamily([done('work', CODEX, failed), done('work', CLAUDE), done('judge', CODEX)])).toEqual([])
  })

  it('is compared only with the candidate that a judge chose', () => {
    const candidates = [done('work', CLAUDE, { branch: 1 }), done('work', CODEX, { branch: 2 })]
    const inputs = candidates.map(({ visit }) => visit.id)
    const choosing = (choice: number) =>
      done('judge', CODEX, { inputs, answer: { choice }, state: { type: 'settled', outcome: 'done' } })
    expect(sameFamily([...candidates, choosing(1)], { format: 'choice' })).toEqual([])
    expect(sameFamily([...candidates, choosing(2)], { format: 'choice' })).toEqual(['judge'])
  })
})
