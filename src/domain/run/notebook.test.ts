import { describe, expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import type { RoleStage } from '../playbook/stage.ts'
import { criteriaCount, notebookFor } from './notebook.ts'
import type { Visit } from './visit.ts'

function stage(format: string): RoleStage {
  return {
    type: 'role',
    role: 'any',
    from: { type: 'work' },
    sees: [],
    output: { type: 'shipped', format },
    minutes: 1,
    on: {},
  }
}

const PLAYBOOK = {
  stages: {
    criteria: stage('criteria'),
    research: stage('findings'),
    options: stage('design'),
    architecture: stage('design'),
    decision: stage('choice'),
    implement: stage('change'),
  },
}

function visit(ordinal: number, name: string, answer: object, more: Partial<Visit> = {}): Visit {
  return exampleVisit({ ordinal, stage: name, answer, ...more })
}

const OLD = visit(1, 'criteria', { criteria: ['It is fast.'] })
const NEW = visit(2, 'criteria', { criteria: ['It is fast.', 'It is small.'] })
const FINDINGS = { findings: [{ claim: 'It leaks.', confidence: 'high', sources: [] }] }

describe('the notebook of a run', () => {
  it('has the newest criteria, the decisions and the findings', () => {
    const visits = [
      visit(3, 'research', FINDINGS),
      NEW,
      OLD,
      visit(4, 'architecture', { approach: 'Cache it.' }),
      visit(5, 'implement', { summary: 'I cached it.' }),
    ]
    expect(notebookFor(PLAYBOOK, visits, { ordinal: 6, inputs: [] })).toEqual({
      criteria: ['It is fast.', 'It is small.'],
      decisions: ['Cache it.'],
      findings: ['It leaks. (confidence: high)'],
    })
    expect(criteriaCount(PLAYBOOK, visits, { ordinal: 6, inputs: [] })).toBe(2)
  })

  it('leaves out what the visit sees anyway, without falling back to something older', () => {
    const seen = { ordinal: 6, inputs: [NEW.id] }
    expect(notebookFor(PLAYBOOK, [OLD, NEW], seen).criteria).toEqual([])
    expect(criteriaCount(PLAYBOOK, [OLD, NEW], seen)).toBe(2)
    const designs = [3, 4].map((ordinal) => visit(ordinal, 'architecture', { approach: `Way ${ordinal}` }))
    const inputs = designs.slice(1).map(({ id }) => id)
    expect(notebookFor(PLAYBOOK, designs, { ordinal: 5, inputs }).decisions).toEqual([])
  })

  it("doesn't show branches of a fan-out to each other", () => {
    const visits = [visit(3, 'research', FINDINGS, { branch: 1 })]
    expect(notebookFor(PLAYBOOK, visits, { ordinal: 3, inputs: [] }).findings).toEqual([])
  })

  it('has the proposal that was chosen, but not the others', () => {
    const options = [1, 2].map((branch) => visit(3, 'options', { approach: `Way ${branch}` }, { branch }))
    const inputs = options.map(({ id }) => id).reverse()
    const decision = visit(4, 'decision', { choice: 1, reason: 'It is simpler.' }, { inputs })
    expect(notebookFor(PLAYBOOK, [...options, decision], { ordinal: 5, inputs: [] }).decisions).toEqual([
      'Way 2',
      'It is simpler.',
    ])
  })

  it('has nothing from visits that failed or have not ended', () => {
    const visits = [
      visit(1, 'research', FINDINGS, { state: { type: 'settled', outcome: 'failed' } }),
      visit(2, 'criteria', { criteria: ['It is fast.'] }, { state: { type: 'working' } }),
    ]
    expect(notebookFor(PLAYBOOK, visits, { ordinal: 3, inputs: [] })).toEqual({
      criteria: [],
      decisions: [],
      findings: [],
    })
  })
})
