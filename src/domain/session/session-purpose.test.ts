import { describe, expect, it } from 'vitest'
import { exampleJob, exampleSession, ids } from '../../../test/support/example-records.ts'
import { askedSessionOf, attemptIdOf, rulesOf, type SessionPurpose } from './session-purpose.ts'

const agent = { name: 'one', provider: 'command', roles: [], env: [] }
const attemptId = ids.next('attempt')
const of = ids.next('session')

const attempt: SessionPurpose = { type: 'attempt', attemptId }
const check: SessionPurpose = {
  type: 'check',
  candidateId: ids.next('candidate'),
  index: 0,
  command: 'npm test',
  isFresh: true,
}
const query: SessionPurpose = { type: 'query', of, question: 'why?', agent, timeMs: 1_000 }
const personal: SessionPurpose = {
  type: 'personal',
  projectId: ids.next('project'),
  repositoryPath: '/nowhere',
  baseCommit: 'a'.repeat(40),
  branch: 'muster/mine',
  agent,
  sandbox: { level: 'auto', network: 'allow' },
  prompt: '',
}

describe('the purpose of a session', () => {
  it('decides whether agents can send it messages and whether it costs money', () => {
    const rules = [attempt, personal, query, check].map((purpose) => rulesOf({ purpose }))
    expect(rules.map(({ takesMessages }) => takesMessages)).toEqual([true, true, true, false])
    expect(rules.map(({ costs }) => costs)).toEqual([true, true, true, false])
  })

  it('keeps only a personal session open after its turn', () => {
    const open = [attempt, personal, query].filter((purpose) => !rulesOf({ purpose }).endsWithTurn)
    expect(open).toEqual([personal])
  })

  it('allows questions to attempts and personal sessions, and parks them without quota', () => {
    for (const rule of ['canBeAsked', 'waitsForQuota'] as const) {
      const having = [attempt, personal, query, check].filter((purpose) => rulesOf({ purpose })[rule])
      expect(having).toEqual([attempt, personal])
    }
  })

  it('names the attempt it works on or the session it asks', () => {
    const session = exampleSession(exampleJob(), { purpose: attempt })
    expect([attemptIdOf(session), attemptIdOf({ purpose: personal })]).toEqual([attemptId, undefined])
    expect([askedSessionOf({ purpose: query }), askedSessionOf(session)]).toEqual([of, undefined])
  })
})
