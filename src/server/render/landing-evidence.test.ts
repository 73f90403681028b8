import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import { createMemoryStore } from '../testing/memory-store.ts'
import { NOW, sampleAttempt, sampleId, sampleLanding } from '../testing/sample-records.ts'
import { landingEvidence } from './landing-evidence.ts'

const candidate: Candidate = {
  id: sampleId('candidate'),
  jobId: sampleId('job'),
  branch: 'muster/work',
  landingIds: [sampleLanding.id],
  onto: 'a'.repeat(40),
  commit: 'b'.repeat(40),
  tree: 'c'.repeat(40),
  state: { type: 'asking', approvalId: sampleId('approval') },
  checks: [{ command: 'true', passed: true, detail: '', tree: 'c'.repeat(40) }],
  version: 1,
  createdAt: NOW,
}

function review(type: 'approved' | 'needs-revision', summary: string): Attempt {
  const verdict = { type, summary, issues: [], criteria: [] }
  const state = { type: 'settled', outcome: { type: 'accepted', verdict } } as const
  return { ...sampleAttempt, role: 'reviewer', state }
}

describe('what a commit that is to land rests on', () => {
  it('is its checks, and the last verdict on each of its tasks', async () => {
    const { read } = createMemoryStore()
    const candidates = { ...read.candidates, find: async () => candidate }
    const attempts = {
      ...read.attempts,
      listOfTask: async () => [
        review('needs-revision', 'Nearly'),
        review('approved', 'It grows'),
        sampleAttempt,
      ],
    }
    const needs = { store: { read: { ...read, candidates, attempts } } }
    expect(await landingEvidence(needs, candidate.id)).toEqual({
      checks: candidate.checks,
      reviews: [
        {
          taskId: sampleId('task', 1),
          task: '1.1',
          agent: 'mine',
          verdict: 'approved',
          summary: 'It grows',
        },
      ],
    })
  })

  it('is not known of a commit that nobody knows', async () => {
    expect(await landingEvidence({ store: createMemoryStore() }, candidate.id)).toBeUndefined()
  })
})
