import { describe, expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import type { Outcome } from '../playbook/outcome.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { artifactsOf, decisionsOf, findingsOf } from './typed-results.ts'
import type { Visit } from './visit.ts'

const stage = (role: string, format: string, sees: readonly string[] = []) => ({
  type: 'role',
  role,
  output: { type: 'shipped', format },
  sees: sees.map((of) => ({ of, isOptional: false })),
})

const PLAYBOOK = {
  stages: {
    research: stage('researcher', 'findings'),
    design: stage('architect', 'design'),
    verify: stage('reviewer', 'review', ['research']),
    implement: stage('developer', 'change'),
    review: stage('reviewer', 'review', ['diff']),
    revise: stage('developer', 'change'),
    document: stage('developer', 'change'),
    ask: { type: 'gate', ask: 'Build this?', shows: [], hours: 1, on: {} },
  },
} as unknown as Playbook

const COMPETITION = {
  stages: {
    try: stage('candidate', 'change'),
    verify: { type: 'checks', each: 'try', on: {} },
    pick: stage('judge', 'choice', ['verify']),
  },
} as unknown as Playbook

const visit = (ordinal: number, name: string, outcome: Outcome, fields: Partial<Visit> = {}) =>
  exampleVisit({ ordinal, stage: name, state: { type: 'settled', outcome }, ...fields })

const FINDINGS = {
  methodology: 'reading',
  findings: [
    { claim: 'it leaks', confidence: 'high', sources: ['a.ts:1'], contradictingEvidence: 'the docs' },
    { claim: 'it is slow', confidence: 'low', sources: [], contradictingEvidence: ' ' },
  ],
}

describe('the findings of a run', () => {
  const found = visit(1, 'research', 'done', { answer: FINDINGS })

  it('have their sources, and are not verified before a review approves them', () => {
    const denied = visit(2, 'verify', 'NEEDS_REVISION', { inputs: [found.id] })
    const [first, second] = findingsOf(PLAYBOOK, [found, denied])
    expect(first).toMatchObject({
      claim: 'it leaks',
      confidence: 'high',
      sources: ['a.ts:1'],
      contradictingEvidence: 'the docs',
      methodology: 'reading',
      role: 'researcher',
    })
    expect(first).not.toHaveProperty('verifiedBy')
    expect(second).not.toHaveProperty('contradictingEvidence')
    expect(first?.id).not.toBe(second?.id)
  })

  it('are verified by the review that saw and approved them', () => {
    const endedAt = new Date(5)
    const approval = visit(2, 'verify', 'APPROVED', { inputs: [found.id], endedAt })
    const findings = findingsOf(PLAYBOOK, [found, approval])
    expect(findings).toMatchObject(Array(2).fill({ verifiedBy: 'reviewer', verifiedAt: endedAt }))
    const unseen = visit(2, 'verify', 'APPROVED', { inputs: [] })
    expect(findingsOf(PLAYBOOK, [found, unseen])[0]).not.toHaveProperty('verifiedBy')
  })
})

describe('the artifacts of a run', () => {
  it('count their versions by type, and have the verdict of their newest review', () => {
    const code = { answer: { summary: 'wrote it', artifactType: 'code' } }
    const visits = [
      visit(1, 'implement', 'done', { ...code, commit: 'a' }),
      visit(2, 'review', 'NEEDS_REVISION'),
      visit(3, 'revise', 'done', { ...code, commit: 'b' }),
      visit(4, 'review', 'APPROVED'),
      visit(5, 'document', 'done', {
        answer: { summary: 'told it', artifactType: 'documentation' },
        commit: 'c',
      }),
      visit(6, 'revise', 'failed', code),
    ]
    expect(
      artifactsOf(PLAYBOOK, visits).map(({ artifactType, version, reviewStatus, commit }) => [
        artifactType,
        version,
        reviewStatus,
        commit,
      ]),
    ).toEqual([
      ['code', 1, 'needs_revision', 'a'],
      ['code', 2, 'approved', 'b'],
      ['documentation', 1, 'pending', 'c'],
    ])
  })
})

describe('the decisions of a run', () => {
  it('are its designs with their alternatives, and what a person decided', () => {
    const alternatives = [{ name: 'a queue', pros: ['simple'], cons: ['slow'] }]
    const visits = [
      visit(1, 'design', 'done', { answer: { approach: 'a table', alternatives } }),
      visit(2, 'ask', 'denied', { answer: { comment: 'too large' } }),
      visit(3, 'ask', 'skipped'),
    ]
    expect(decisionsOf(PLAYBOOK, visits)).toMatchObject([
      { role: 'architect', decision: 'a table', alternatives },
      { role: 'person', decision: 'Build this? denied', rationale: 'too large', alternatives: [] },
    ])
  })

  it('name the branches that a judge chose among, and what they did', () => {
    const made = (branch: number) =>
      visit(1, 'try', 'done', {
        branch,
        commit: `c${branch}`,
        answer: { summary: `did it in way ${branch}` },
      })
    const tries = [made(1), made(2)]
    const checks = tries.map(({ id, branch, commit }) =>
      visit(2, 'verify', 'pass', { branch, inputs: [id], ...(commit === undefined ? {} : { commit }) }),
    )
    const inputs = checks.map(({ id }) => id).toReversed()
    const judged = (outcome: Outcome, choice: number) =>
      decisionsOf(COMPETITION, [
        ...tries,
        ...checks,
        visit(3, 'pick', outcome, { inputs, answer: { choice, reason: 'it is smaller' } }),
      ])
    expect(judged('done', 1)).toMatchObject([
      {
        decision: 'candidate 1 (try #2): did it in way 2',
        rationale: 'it is smaller',
        alternatives: [{ name: 'candidate 2 (try #1): did it in way 1' }],
      },
    ])
    expect(judged('failed', 0)).toMatchObject([
      { decision: 'none of the candidates', alternatives: [{}, {}] },
    ])
  })
})

it('takes no review of the work for one of its design, and no visit without a commit for a change', () => {
  const design = visit(1, 'design', 'done', { answer: { approach: 'a table' } })
  const built = visit(2, 'implement', 'done', { commit: 'c', answer: { summary: 'built' } })
  const answer = { summary: 'the code is fine' }
  const review = visit(3, 'review', 'APPROVED', { inputs: [design.id, built.id], answer })
  const unneeded = visit(4, 'document', 'done', { answer: { summary: 'nothing to document' } })
  const visits = [design, built, review, unneeded]
  expect(decisionsOf(PLAYBOOK, visits)).toMatchObject([{ decision: 'a table' }])
  expect(decisionsOf(PLAYBOOK, visits)[0]).not.toHaveProperty('rationale')
  expect(artifactsOf(PLAYBOOK, visits)).toMatchObject([{ summary: 'built', reviewStatus: 'approved' }])
})
